import { infiniteQueryOptions } from '@tanstack/react-query';
import { answer, api } from '@/api/client';

/** What the audit is narrowed to; what is empty holds nothing back. */
export interface AuditFilter {
  person: string;
  order: string;
  action: string;
  from: string;
  to: string;
}

export const NO_FILTER: AuditFilter = { person: '', order: '', action: '', from: '', to: '' };

/** What was done, the newest first, a part at a time. */
export function auditQuery(filter: AuditFilter) {
  return infiniteQueryOptions({
    queryKey: ['audit', filter],
    queryFn: ({ signal, pageParam }) => {
      const given = Object.entries(filter).filter(([, text]) => text !== '');
      const query = { ...Object.fromEntries(given), olderThan: pageParam };
      return answer(api.GET('/api/admin/get-audit-list', { params: { query }, signal }));
    },
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    // Each look is noted: one that nobody asked for must not be.
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}
