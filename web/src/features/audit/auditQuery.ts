import { infiniteQueryOptions } from '@tanstack/react-query';
import { answer, api } from '@/api/client';

/** The filters of the audit and of the access log; an empty one does not filter. */
export interface AuditFilter {
  person: string;
  order: string;
  action: string;
  from: string;
  to: string;
}

export const NO_FILTER: AuditFilter = { person: '', order: '', action: '', from: '', to: '' };

/** The filters that are not empty. */
export function givenFilters(filter: AuditFilter): Partial<AuditFilter> {
  return Object.fromEntries(Object.entries(filter).filter(([, text]) => text !== ''));
}

/** The audit events, newest first, page by page. */
export function auditQuery(filter: AuditFilter) {
  return infiniteQueryOptions({
    queryKey: ['audit', filter],
    queryFn: ({ signal, pageParam }) => {
      const query = { ...givenFilters(filter), olderThan: pageParam };
      return answer(api.GET('/api/admin/get-audit-list', { params: { query }, signal }));
    },
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    // Each request is audited itself, so the query never refetches on its own.
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}
