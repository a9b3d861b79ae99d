import { useParams } from 'react-router';
import { readId } from '@/paths/encodedId';
import { useMe } from '@/session/me';
import { ManageTeam } from '@/features/manageTeam/ManageTeam';

/** The team, and one of its members when the link names one. */
export function ManageTeamPage() {
  const { teamMemberId: encoded } = useParams();
  return <ManageTeam me={useMe()} memberId={encoded === undefined ? undefined : readId(encoded)} />;
}
