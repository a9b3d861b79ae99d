import { useQueryClient } from '@tanstack/react-query';
import { answer, api } from '@/api/client';
import type { TeamMember } from '@/api/types';
import { notifyFailure } from '@/session/notifyFailure';
import { notify } from '@/ui/notify';
import type { MemberFields } from './memberFields';

/** The changes to the team. Each shows its outcome and returns whether it succeeded. */
export function useTeamChange() {
  const queries = useQueryClient();
  const report = async (change: Promise<{ message: string }>): Promise<boolean> => {
    try {
      notify.success((await change).message);
      return true;
    } catch (error) {
      notifyFailure(error);
      return false;
    } finally {
      // A member's name is also shown in the top bar and on orders.
      await queries.invalidateQueries();
    }
  };
  return {
    add: (body: MemberFields) => report(answer(api.POST('/api/admin/add-team-member', { body }))),
    update: ({ id, updated_at }: TeamMember, fields: MemberFields) => {
      const body = { ...fields, tmId: id, updated_at };
      return report(answer(api.POST('/api/admin/update-team-member', { body })));
    },
    removeSecondFactor: (tmId: number) =>
      report(answer(api.POST('/api/admin/remove-second-factor', { body: { tmId } }))),
    remove: (teamMemberId: number) => {
      const body = { teamMemberId };
      return report(answer(api.PUT('/api/admin/delete-team-member', { body })));
    },
  };
}
