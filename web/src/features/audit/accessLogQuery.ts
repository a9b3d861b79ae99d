import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { answer, api, dataOf, fileAnswer } from '@/api/client';
import { type AuditFilter, givenFilters } from './auditQuery';

/** The query for the data that members have seen, newest first, page by page. */
export function accessLogQuery(filter: AuditFilter) {
  return infiniteQueryOptions({
    queryKey: ['access-log', filter],
    queryFn: ({ signal, pageParam }) => {
      const query = { ...givenFilters(filter), olderThan: pageParam };
      return answer(api.GET('/api/admin/access-log', { params: { query }, signal }));
    },
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    // Each request is an entry itself, so the query never refetches on its own.
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

/** The entries that pass the filter, as a file. */
export function accessLogFile(filter: AuditFilter, signal: AbortSignal) {
  const params = { query: givenFilters(filter) };
  return fileAnswer(api.GET('/api/admin/access-log-csv', { params, parseAs: 'blob', signal }));
}

/** The members who reached their row budget in the last day; only Admins may ask for them. */
export const rowBudgetsQuery = queryOptions({
  queryKey: ['row-budgets'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/admin/row-budgets', { signal })),
  staleTime: 60_000,
});
