import { queryOptions } from '@tanstack/react-query';
import { ApiError } from '@/api/ApiError';
import { fetchPageImage, type PageSize } from '@/api/pageImage';

/** Asks again while the server is busy, as often as a person would. */
const MAX_RETRIES = 3;
const RETRY_MS = 1_000;

/** The image of a page and the number of pages. A new link to the same file changes nothing. */
export function pageImageQuery(file1: string, link: string, page: number, size: PageSize) {
  return queryOptions({
    // No change of an order makes a file stale.
    queryKey: ['file', 'page', file1, page, size],
    queryFn: ({ signal }) => fetchPageImage(link, page, size, signal),
    // A stored file never changes.
    staleTime: Infinity,
    structuralSharing: false,
    retry: (failures, error) =>
      failures < MAX_RETRIES &&
      error instanceof ApiError &&
      (error.status === 0 || error.status === 503) &&
      error.code !== 'pages_not_built',
    retryDelay: RETRY_MS,
  });
}
