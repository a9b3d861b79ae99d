import { queryOptions } from '@tanstack/react-query';
import { answer, api } from '@/api/client';

const MANAGE_TEAM = ['manageTeam'] as const;

export const teamQuery = queryOptions({
  queryKey: [...MANAGE_TEAM, 'list'],
  queryFn: async ({ signal }) =>
    (await answer(api.GET('/api/admin/get-team-member-list', { signal }))).data,
});

/** The types that the signed-in member may assign, and whose members they may edit. */
export const memberTypesQuery = queryOptions({
  queryKey: [...MANAGE_TEAM, 'types'],
  queryFn: async ({ signal }) =>
    (await answer(api.GET('/api/admin/get-team-member-type', { signal }))).data,
  staleTime: 60_000,
});

export function memberQuery(id: number) {
  return queryOptions({
    queryKey: [...MANAGE_TEAM, 'member', id],
    queryFn: async ({ signal }) => {
      const params = { path: { id: String(id) } };
      return (await answer(api.GET('/api/admin/team-member-info/{id}', { params, signal }))).data;
    },
    // The form must edit the current values.
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
}
