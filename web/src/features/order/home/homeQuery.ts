import { queryOptions } from '@tanstack/react-query';
import { answer, api } from '@/api/client';
import { ORDER } from '../orderQueries';

const MINUTE_MS = 60_000;

/** The home screen below its tiles. The server reads it once a minute; so does the screen, while it is visible. */
export const homeQuery = queryOptions({
  queryKey: [...ORDER, 'home'],
  queryFn: async ({ signal }) => (await answer(api.GET('/api/admin/home', { signal }))).data,
  refetchInterval: MINUTE_MS,
});
