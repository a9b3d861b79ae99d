import { queryOptions } from '@tanstack/react-query';
import { answer, api } from '@/api/client';
import { now } from '@/ui/clock';
import { ORDER } from '../orderQueries';
import { nextLook } from './mails/mailStates';

export function orderDetailsQuery(orderId: number) {
  return queryOptions({
    queryKey: [...ORDER, 'details', orderId],
    queryFn: async ({ signal }) => {
      const params = { path: { orderId: String(orderId) } };
      return (await answer(api.GET('/api/admin/get-orders-details/{orderId}', { params, signal })))
        .data;
    },
    // Until it is known what became of the mails.
    refetchInterval: ({ state: { data } }) => (data ? nextLook(data.mailHistory, now()) : false),
  });
}

/** What can be applied for. It changes only with a new version of the server. */
export const visaCatalogueQuery = queryOptions({
  queryKey: ['visaCatalogue'],
  queryFn: async ({ signal }) => (await answer(api.GET('/api/visa-catalogue', { signal }))).data,
  staleTime: Infinity,
});
