import { publicPaths } from '@/paths/publicPaths';
import { readId } from '@/paths/encodedId';

/** The two public pages, by the names that the prerendered files have. */
export type PageName = 'track-order' | 'download';

export const pageNames: PageName[] = ['track-order', 'download'];

/** Where a visitor is. */
export interface Place {
  page: PageName;
  /** The order of the address; null when it names none. */
  orderId: number | null;
  /** The visitor was sent back to confirm the email again. */
  isAgain: boolean;
  /**
   * The visitor is asked for a mailed code. It is part of the place, so that a reload asks for it
   * again.
   */
  isCode: boolean;
}

/** The place at the present address. */
export function placeHere(): Place {
  const [, page, segment = ''] = location.pathname.split('/');
  return {
    page: page === 'get-new-order-details' ? 'download' : 'track-order',
    orderId: readId(decoded(segment)),
    isAgain: history.state === 'again',
    isCode: history.state === 'code',
  };
}

/** The key of the mailed link in the address; null when there is none. */
export function mailedKey(): string | null {
  return /^#key=([\w-]+)$/.exec(location.hash)?.[1] ?? null;
}

/** Removes the key from the address, if there is one, so that it stays out of the history and of bookmarks. */
export function removeMailedKey(): void {
  if (mailedKey() === null) return;
  history.replaceState(history.state, '', location.pathname + location.search);
}

/** Moves to the order's track page, to prove again whose it is. There is no way back: the page behind is closed. */
export function goToTrackAgain(orderId: number | null): void {
  const segment = location.pathname.split('/')[2] ?? '';
  const address = orderId === null ? `/track-order/${segment}` : publicPaths.trackOrder(orderId);
  history.replaceState('again', '', address);
}

/** Asks for a mailed code on the order's track page, or for the email again. */
export function goToCode(orderId: number | null, isCode: boolean): void {
  const address = orderId === null ? location.pathname : publicPaths.trackOrder(orderId);
  history.replaceState(isCode ? 'code' : null, '', address);
}

/** Moves on to the page of an order that is proved. */
export function goToDetails(orderId: number): void {
  removeMailedKey();
  history.pushState(null, '', publicPaths.newOrderDetails(orderId));
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}
