import { queryOptions } from '@tanstack/react-query';
import { api, dataOf } from '@/api/client';

export const secondFactorQuery = queryOptions({
  queryKey: ['auth', 'second factor'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/admin/second-factor', { signal })),
});

export const sessionsQuery = queryOptions({
  queryKey: ['auth', 'sessions'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/admin/sessions', { signal })),
});
