import { queryOptions } from '@tanstack/react-query';
import { answer, api } from '@/api/client';

/** The active members. */
export const colleaguesQuery = queryOptions({
  queryKey: ['colleagues'],
  queryFn: async ({ signal }) => (await answer(api.GET('/api/admin/colleagues', { signal }))).data,
});
