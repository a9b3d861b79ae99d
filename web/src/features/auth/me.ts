import { queryOptions, useQuery } from '@tanstack/react-query';
import { answer, api } from '@/api/client';
import type { UserInfo } from '@/api/types';
import { auth } from '@/session/auth';

/** Who is signed in and what they may do, as the server says. */
export const meQuery = queryOptions({
  queryKey: ['auth', 'me'],
  queryFn: async ({ signal }) => {
    auth.userInfoPending();
    try {
      const { data } = await answer(api.GET('/api/user_info', { signal }));
      auth.userInfoFulfilled(data.type);
      return data;
    } catch (error) {
      auth.userInfoRejected();
      throw error;
    }
  },
  staleTime: 60_000,
});

/** Who is signed in. Only for what the shell contains: it waits until this is known. */
export function useMe(): UserInfo {
  const { data } = useQuery(meQuery);
  if (!data) throw new Error('Nobody is known to be signed in');
  return data;
}
