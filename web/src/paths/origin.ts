import type { Location } from 'react-router';

/** The screen that an order was opened from. It travels in the state of the history entry. */
export interface Origin {
  /** The label of the link that leads back. */
  label: string;
  /** The URL of the screen with its page, search and filters. */
  path: string;
  /** The key under which the screen remembers how far it was scrolled. */
  scrollKey: string;
}

interface OriginState {
  origin?: Origin;
  /** The order of the origin's list from which this one was opened, without being in the list itself. */
  beside?: number;
  scrollKey?: string;
}

/** The navigation state of a link to an order. */
export function fromOrigin(origin: Origin): OriginState {
  return { origin };
}

/** The navigation state of a link from the order `orderId` to another one: its list stays the way back. */
export function fromOrder(location: Location, orderId: number): OriginState | null {
  const origin = originOf(location);
  return origin && { origin, beside: besideOf(location) ?? orderId };
}

/** The order of the list from which this one was opened; undefined for one of the list itself. */
export function besideOf({ state }: Location): number | undefined {
  return (state as OriginState | null)?.beside;
}

/** The navigation state of the link back. */
export function backTo({ scrollKey }: Origin): OriginState {
  return { scrollKey };
}

/** The screen that this order was opened from; null when its URL was opened directly. */
export function originOf({ state }: Location): Origin | null {
  return (state as OriginState | null)?.origin ?? null;
}

/** The key of the scroll position: after the link back, that of the screen one returns to. */
export function scrollKeyOf({ state, key }: Location): string {
  return (state as OriginState | null)?.scrollKey ?? key;
}
