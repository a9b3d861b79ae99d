import { queryOptions, useQuery } from '@tanstack/react-query';
import { answer, api } from '@/api/client';
import type { UserInfo } from '@/api/types';
import { auth } from './auth';

/** The signed-in member and their permissions. */
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

/** The signed-in member. Only for content of the shell, which waits until the member is loaded. */
export function useMe(): UserInfo {
  const { data } = useQuery(meQuery);
  if (!data) throw new Error('The signed-in member is not loaded');
  return data;
}
