import { queryOptions } from '@tanstack/react-query';
import { api, dataOf } from '@/api/client';

const MANAGE_TEAM = ['manageTeam'] as const;

export const teamQuery = queryOptions({
  queryKey: [...MANAGE_TEAM, 'list'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/admin/get-team-member-list', { signal })),
});

/** The types that the signed-in member may assign, and whose members they may edit. */
export const memberTypesQuery = queryOptions({
  queryKey: [...MANAGE_TEAM, 'types'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/admin/get-team-member-type', { signal })),
  staleTime: 60_000,
});

export function memberQuery(id: number) {
  return queryOptions({
    queryKey: [...MANAGE_TEAM, 'member', id],
    queryFn: ({ signal }) => {
      const params = { path: { id: String(id) } };
      return dataOf(api.GET('/api/admin/team-member-info/{id}', { params, signal }));
    },
    // The form must edit the current values.
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
}
