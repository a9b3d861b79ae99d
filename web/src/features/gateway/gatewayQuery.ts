import { queryOptions } from '@tanstack/react-query';
import { answer, api } from '@/api/client';

export const gatewaysQuery = queryOptions({
  queryKey: ['gateway', 'list'],
  queryFn: async ({ signal }) =>
    (await answer(api.GET('/api/admin/payment-gateways', { signal }))).data,
});
