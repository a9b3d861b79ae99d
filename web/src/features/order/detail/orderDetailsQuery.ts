import { queryOptions } from '@tanstack/react-query';
import { answer, api } from '@/api/client';
import { now } from '@/ui/clock';
import { ORDER } from '../orderQueries';
import { mailPollInterval } from './mails/mailStates';

export function orderDetailsQuery(orderId: number) {
  return queryOptions({
    queryKey: [...ORDER, 'details', orderId],
    queryFn: async ({ signal }) => {
      const params = { path: { orderId: String(orderId) } };
      return (await answer(api.GET('/api/admin/get-orders-details/{orderId}', { params, signal })))
        .data;
    },
    // One that was fetched ahead is not fetched again.
    staleTime: 10_000,
    // Polls until the state of all mails is final.
    refetchInterval: ({ state: { data } }) =>
      data ? mailPollInterval(data.mailHistory, now()) : false,
  });
}
