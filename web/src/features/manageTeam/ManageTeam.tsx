import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from 'react-router';
import type { TeamMember } from '@/api/types';
import { paths } from '@/app/paths';
import { ListNotice } from '@/ui/ListNotice';
import { ScreenTitle } from '@/ui/ListScreen';
import { useConfirm } from '@/ui/useConfirm';
import { MemberForm } from './MemberForm';
import { TeamMemberList } from './TeamMemberList';
import { memberQuery } from './teamQueries';
import { useTeamChange } from './useTeamChange';

interface ManageTeamProps {
  /** Who is edited; null when somebody can be added. */
  memberId: number | null;
}

/** The form that adds or changes a member, above the list of them all. */
export function ManageTeam({ memberId }: ManageTeamProps) {
  const navigate = useNavigate();
  const { add, remove } = useTeamChange();
  const [ask, dialog] = useConfirm();
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
      {memberId === null ? (
        <MemberForm isNew onSave={add} />
      ) : (
        <EditMember key={memberId} memberId={memberId} />
      )}
      <TeamMemberList onDelete={(member) => void confirmDelete(member)} />
      {dialog}
    </div>
  );
}

function EditMember({ memberId }: { memberId: number }) {
  const navigate = useNavigate();
  const { update } = useTeamChange();
  const { data: member, error, refetch } = useQuery(memberQuery(memberId));
  if (error && !member) {
    return (
      <ListNotice
        text={error.message}
        action={{ label: 'Try again', onClick: () => void refetch() }}
      />
    );
  }
  return (
    <MemberForm
      member={member}
      onSave={async (fields) => {
        const done = member !== undefined && (await update(member, fields));
        if (done) await navigate(paths.manageTeam);
        return done;
      }}
      beside={
        <Link className="button" to={paths.manageTeam}>
          Cancel
        </Link>
      }
    />
  );
}
