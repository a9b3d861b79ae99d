import { queryOptions } from '@tanstack/react-query';
import { answer, api } from '@/api/client';
import { now } from '@/ui/clock';
import { ORDER, updateInLists } from '../orderQueries';
import { mailPollInterval } from './mails/mailStates';

/** The interval between two requests while a visa without a text is being read, in milliseconds. */
const READING_MS = 5_000;

export function orderDetailsQuery(orderId: number) {
  return queryOptions({
    queryKey: [...ORDER, 'details', orderId],
    queryFn: async ({ signal, client }) => {
      const params = { path: { orderId: String(orderId) } };
      const call = api.GET('/api/admin/get-orders-details/{orderId}', { params, signal });
      const { data } = await answer(call);
      updateInLists(client, data);
      return data;
    },
    // One that was fetched ahead is not fetched again.
    staleTime: 10_000,
    // Polls until the state of all mails is final, and every visa is read and delivered.
    refetchInterval: ({ state: { data } }) => {
      if (!data) return false;
      const isReading = data.uploadDoc.some(
        ({ check }) => check?.is_being_read || (check?.is_waiting && !check.is_open),
      );
      const mails = mailPollInterval(data.mailHistory, now());
      return isReading ? Math.min(mails || READING_MS, READING_MS) : mails;
    },
  });
}
