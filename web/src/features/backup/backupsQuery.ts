import { queryOptions } from '@tanstack/react-query';
import { api, dataOf } from '@/api/client';

/** The state of the backups; only Admins may ask for it. */
export const backupsQuery = queryOptions({
  queryKey: ['backup', 'state'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/admin/backups', { signal })),
  staleTime: 60_000,
});
