import { queryOptions } from '@tanstack/react-query';
import { answer, api } from '@/api/client';

/** The second factor of the signed-in member. */
export const secondFactorQuery = queryOptions({
  queryKey: ['auth', 'second factor'],
  queryFn: async ({ signal }) =>
    (await answer(api.GET('/api/admin/second-factor', { signal }))).data,
});

/** The sessions of the signed-in member. */
export const sessionsQuery = queryOptions({
  queryKey: ['auth', 'sessions'],
  queryFn: async ({ signal }) => (await answer(api.GET('/api/admin/sessions', { signal }))).data,
});
