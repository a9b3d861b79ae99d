import { useParams } from 'react-router';
import { readId } from '@/app/paths';
import { ManageTeam } from '@/features/manageTeam/ManageTeam';

/** The team, and one of its members when the link names one. */
export function ManageTeamPage() {
  return <ManageTeam memberId={readId(useParams()['teamMemberId'] ?? '')} />;
}
