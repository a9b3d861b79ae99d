import { queryOptions } from '@tanstack/react-query';
import { answer, api, dataOf, fileAnswer } from '@/api/client';
import type { Days } from './days';

const REPORT = ['report'] as const;

/** A report does not refresh by itself. */
const asAskedFor = { gcTime: 0, refetchOnWindowFocus: false, refetchOnReconnect: false } as const;

export function countryOrdersQuery(days: Days) {
  return queryOptions({
    queryKey: [...REPORT, 'country', days],
    queryFn: ({ signal }) =>
      dataOf(api.POST('/api/admin/get-country-order-list', { body: days, signal })),
    ...asAskedFor,
  });
}

export function processedByQuery(days: Days) {
  return queryOptions({
    queryKey: [...REPORT, 'processed-by', days],
    queryFn: async ({ signal }) => {
      const call = api.POST('/api/admin/get-processed-by-count', { body: days, signal });
      const { data, message } = await answer(call);
      return { rows: data, message };
    },
    ...asAskedFor,
  });
}

export function countryOrdersFile(query: Days, signal: AbortSignal) {
  const asked = { params: { query }, parseAs: 'blob', signal } as const;
  return fileAnswer(api.GET('/api/admin/country-orders-csv', asked));
}

export function processedByFile(query: Days, signal: AbortSignal) {
  const asked = { params: { query }, parseAs: 'blob', signal } as const;
  return fileAnswer(api.GET('/api/admin/processed-by-csv', asked));
}
