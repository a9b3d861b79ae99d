import { queryOptions } from '@tanstack/react-query';
import { answer, api } from '@/api/client';
import type { PaperReason, SavePaperReason } from '@/api/types';

/** Why papers are not fine, for staff to choose from. Admins change them rarely. */
export const reasonsQuery = queryOptions({
  queryKey: ['paper reasons'],
  queryFn: async ({ signal }): Promise<PaperReason[]> =>
    (await answer(api.GET('/api/admin/paper-reasons', { signal }))).data.reasons,
  staleTime: 60_000,
});

/** Adds a reason, or changes one. */
export const savePaperReason = (body: SavePaperReason) =>
  answer(api.PUT('/api/admin/paper-reason', { body }));
