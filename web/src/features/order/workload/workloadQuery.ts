import { queryOptions } from '@tanstack/react-query';
import { answer, api } from '@/api/client';
import { ORDER } from '../orderQueries';

/** The open orders of each active member, and last those without an owner. */
export const workloadQuery = queryOptions({
  queryKey: [...ORDER, 'workload'],
  queryFn: async ({ signal }) => (await answer(api.GET('/api/admin/workload', { signal }))).data,
});
