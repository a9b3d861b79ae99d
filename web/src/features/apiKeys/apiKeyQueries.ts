import { queryOptions } from '@tanstack/react-query';
import { answer, api } from '@/api/client';

/** The API keys of the sales sites; only Admins may ask for them. */
export const apiKeysQuery = queryOptions({
  queryKey: ['apiKeys', 'list'],
  queryFn: async ({ signal }) => (await answer(api.GET('/api/admin/api-keys', { signal }))).data,
});
