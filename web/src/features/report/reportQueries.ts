import { queryOptions } from '@tanstack/react-query';
import { messageOf } from '@/api/ApiError';
import { answer, api, fileAnswer } from '@/api/client';
import { notify } from '@/ui/notify';
import type { Days } from './days';

const REPORT = ['report'] as const;

/** A report stays as it was asked for. */
const asAskedFor = { gcTime: 0, refetchOnWindowFocus: false, refetchOnReconnect: false } as const;

export function countryOrdersQuery(days: Days) {
  return queryOptions({
    queryKey: [...REPORT, 'country', days],
    queryFn: async ({ signal }) =>
      (await answer(api.POST('/api/admin/get-country-order-list', { body: days, signal }))).data,
    ...asAskedFor,
  });
}

/** Says in a toast what came of it, each time that it is asked for. */
export function processedByQuery(days: Days) {
  return queryOptions({
    queryKey: [...REPORT, 'processed-by', days],
    queryFn: async ({ signal }) => {
      const call = api.POST('/api/admin/get-processed-by-count', { body: days, signal });
      try {
        const { data, message } = await answer(call);
        notify.success(message, { id: message });
        return data;
      } catch (error) {
        if (!signal.aborted) notify.error(messageOf(error), { id: messageOf(error) });
        throw error;
      }
    },
    ...asAskedFor,
  });
}

export function countryOrdersFile(query: Days) {
  return fileAnswer(
    api.GET('/api/admin/country-orders-csv', { params: { query }, parseAs: 'blob' }),
  );
}

export function processedByFile(query: Days) {
  return fileAnswer(api.GET('/api/admin/processed-by-csv', { params: { query }, parseAs: 'blob' }));
}
