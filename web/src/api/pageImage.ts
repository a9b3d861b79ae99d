import { ApiError } from './ApiError';
import { refusalOf, UNREACHABLE } from './client';

/** The resolution of the image: for reading beside the data, or enlarged. */
export type PageSize = 'screen' | 'fine';

export interface PageImage {
  /** A `data:` address. */
  src: string;
  /** The number of pages of the whole PDF. */
  pages: number;
}

/**
 * The address of a page's image, which the signed link of the PDF opens too. Always on our own
 * host: only files themselves may be on another.
 */
export function pageUrl(link: string, page: number, size: PageSize): string {
  const [path, query] = link.slice(link.indexOf('uploads/')).split('?');
  return `${location.origin}/${path}/pages/${size}/${page}?${query ?? ''}`;
}

/** Fetches the image of a page, from 1. Throws an ApiError with the server's message. */
export async function fetchPageImage(
  link: string,
  page: number,
  size: PageSize,
  signal: AbortSignal,
): Promise<PageImage> {
  const unreachable = (cause: unknown) => {
    if (signal.aborted) throw cause;
    throw new ApiError(UNREACHABLE, 0);
  };
  const response = await fetch(pageUrl(link, page, size), { signal }).catch(unreachable);
  if (!response.ok) {
    throw refusalOf(await response.json().catch(() => undefined), response.status);
  }
  const content = await response.blob().catch(unreachable);
  return { src: await dataUrl(content), pages: Number(response.headers.get('X-Pages')) || 1 };
}

/** Unlike a `blob:` address, this one needs no end. */
function dataUrl(content: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(reader.result as string));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('unreadable')));
    reader.readAsDataURL(content);
  });
}
