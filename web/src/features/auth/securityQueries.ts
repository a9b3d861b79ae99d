import { queryOptions } from '@tanstack/react-query';
import { api, dataOf } from '@/api/client';

/** The second factor of the signed-in member. */
export const secondFactorQuery = queryOptions({
  queryKey: ['auth', 'second factor'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/admin/second-factor', { signal })),
});

/** The sessions of the signed-in member. */
export const sessionsQuery = queryOptions({
  queryKey: ['auth', 'sessions'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/admin/sessions', { signal })),
});
