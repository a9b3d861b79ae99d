import { queryOptions } from '@tanstack/react-query';
import { answer, api } from '@/api/client';

/** The state of the backups; only Admins may ask for it. */
export const backupsQuery = queryOptions({
  queryKey: ['backup', 'state'],
  queryFn: async ({ signal }) => (await answer(api.GET('/api/admin/backups', { signal }))).data,
  staleTime: 60_000,
});
