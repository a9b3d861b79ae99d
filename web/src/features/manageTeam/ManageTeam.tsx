import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from 'react-router';
import { ApiError } from '@/api/ApiError';
import type { TeamMember } from '@/api/types';
import { readId } from '@/paths/encodedId';
import { paths } from '@/paths/staffPaths';
import { ButtonLink } from '@/ui/Button';
import { ListNotice } from '@/ui/ListNotice';
import { ScreenTitle } from '@/ui/ListScreen';
import { useConfirm } from '@/ui/useConfirm';
import { useMe } from '@/session/me';
import { MemberForm } from './MemberForm';
import { TeamMemberList } from './TeamMemberList';
import { memberQuery } from './teamQueries';
import { useTeamChange } from './useTeamChange';

/** The form that adds a member, or edits the one that the link names, above the team member list. */
export function ManageTeam() {
  const { may } = useMe();
  const { teamMemberId: encoded } = useParams();
  // Null when the link is invalid.
  const memberId = encoded === undefined ? undefined : readId(encoded);
  const navigate = useNavigate();
  const { add, remove } = useTeamChange();
  const [ask, dialog] = useConfirm();
  // Without the permission the list shows the server's refusal.
  const isOpen = may.manage_team;
  const confirmDelete = async ({ id, name }: TeamMember) => {
    const question = {
      title: `Delete ${name}`,
      text: 'Are you sure you want to delete?',
      yes: 'Yes, delete',
      danger: true,
    };
    if (!(await ask(question))) return;
    if ((await remove(id)) && id === memberId) await navigate(paths.manageTeam);
  };
  return (
    <div>
      <ScreenTitle>Manage Team</ScreenTitle>
      {isOpen && memberId === undefined && <MemberForm onSave={add} />}
      {isOpen && memberId === null && <NoSuchMember />}
      {isOpen && memberId && <EditMember key={memberId} memberId={memberId} />}
      <TeamMemberList onDelete={(member) => void confirmDelete(member)} />
      {dialog}
    </div>
  );
}

function EditMember({ memberId }: { memberId: number }) {
  const navigate = useNavigate();
  const { update, removeSecondFactor } = useTeamChange();
  const [ask, dialog] = useConfirm();
  const confirmRemoval = async ({ id, name }: TeamMember) => {
    const question = {
      title: `Remove the second factor of ${name}`,
      text: `${name} will sign in with the password alone, and is signed out everywhere. Do this only if you are sure that it is ${name} who asks.`,
      yes: 'Yes, remove',
      danger: true,
    };
    if (await ask(question)) await removeSecondFactor(id);
  };
  const { data: member, error, refetch } = useQuery(memberQuery(memberId));
  if (error instanceof ApiError && error.code === 'member_not_found') return <NoSuchMember />;
  if (error && !member) {
    return <ListNotice text={error.message} onRetry={() => void refetch()} />;
  }
  const form = (
    <MemberForm
      memberId={memberId}
      member={member}
      onSave={async (fields) => {
        const done = member !== undefined && (await update(member, fields));
        if (done) await navigate(paths.manageTeam);
        return done;
      }}
      beside={<ButtonLink to={paths.manageTeam}>Cancel</ButtonLink>}
    />
  );
  return (
    <>
      {form}
      {member?.second_factor && (
        <ListNotice
          text={`${member.name} signs in with a second factor`}
          reason="Remove it if the phone and the recovery codes are lost."
          action={{
            label: 'Remove the second factor',
            onClick: () => void confirmRemoval(member),
          }}
        />
      )}
      {dialog}
    </>
  );
}

/** Shown in place of the form for an unknown id. */
function NoSuchMember() {
  const navigate = useNavigate();
  return (
    <ListNotice
      text="This team member does not exist"
      reason="The member may have been deleted, or the link is incomplete."
      action={{ label: 'Add a team member', onClick: () => void navigate(paths.manageTeam) }}
    />
  );
}
