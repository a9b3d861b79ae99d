import { answer, api } from '@/api/client';
import type { TeamMember } from '@/api/types';
import { useChange } from '@/session/useChange';
import type { MemberFields } from './memberFields';

/** The changes to the team. Each returns whether it succeeded, once everything is loaded again. */
export function useTeamChange() {
  const { send } = useChange({
    run: (call: () => Promise<{ message: string }>) => call(),
    // A member's name is also shown in the top bar and on orders.
    stale: [],
    waits: true,
  });
  const change = async (call: () => Promise<{ message: string }>) =>
    (await send(call)) !== undefined;
  return {
    add: (body: MemberFields) =>
      change(() => answer(api.POST('/api/admin/add-team-member', { body }))),
    update: ({ id, updated_at }: TeamMember, fields: MemberFields) => {
      const body = { ...fields, tmId: id, updated_at };
      return change(() => answer(api.POST('/api/admin/update-team-member', { body })));
    },
    removeSecondFactor: (tmId: number) =>
      change(() => answer(api.POST('/api/admin/remove-second-factor', { body: { tmId } }))),
    remove: (teamMemberId: number) => {
      const body = { teamMemberId };
      return change(() => answer(api.PUT('/api/admin/delete-team-member', { body })));
    },
  };
}
