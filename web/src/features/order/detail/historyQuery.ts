import { infiniteQueryOptions } from '@tanstack/react-query';
import { answer, api } from '@/api/client';
import type { OrderDetails } from '@/api/types';
import { now } from '@/ui/clock';
import { ORDER } from '../orderQueries';
import { mailPollInterval } from './mails/mailStates';

/** The field of each history in the details and in its pages. */
export const FIELDS = {
  mails: 'mailHistory',
  downloads: 'downloadHistory',
  remarks: 'remark',
  timeline: 'timeline',
  tries: 'failed_tries',
} as const;

export type HistoryName = keyof typeof FIELDS;

export type HistoryRow<Name extends HistoryName> = OrderDetails[(typeof FIELDS)[Name]][number];

/** The rows of the first page; each further one has twice as many, up to the most that the server sends. */
const FIRST_PAGE = 50;
const LARGEST_PAGE = 200;

/** The rows of a history that are older than those of the details, page by page. Loaded on demand only: each page is noted. */
export function historyQuery(orderId: number, history: HistoryName, before: string | undefined) {
  return infiniteQueryOptions({
    queryKey: [...ORDER, 'history', orderId, history],
    queryFn: async ({ signal, pageParam }) => {
      // A reload keeps the parameter of its first page, and the rows of the details may have moved.
      const query = pageParam ?? { before, limit: FIRST_PAGE };
      const params = { path: { orderId: String(orderId) }, query: { history, ...query } };
      const path = '/api/admin/get-order-history/{orderId}';
      const { data } = await answer(api.GET(path, { params, signal }));
      return { ...data, before: query.before };
    },
    initialPageParam: null as { before: string; limit: number } | null,
    getNextPageParam: ({ older }, pages) =>
      older
        ? { before: older, limit: Math.min(FIRST_PAGE * 2 ** pages.length, LARGEST_PAGE) }
        : null,
    // Loaded by its button; afterwards a change to the order loads it again.
    enabled: ({ state }) => state.data !== undefined,
    gcTime: 0,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    refetchInterval: ({ state: { data } }) =>
      data
        ? mailPollInterval(
            data.pages.flatMap(({ mailHistory = [] }) => mailHistory),
            now(),
          )
        : false,
  });
}
