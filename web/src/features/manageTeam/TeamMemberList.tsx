import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { TeamMember } from '@/api/types';
import { paths } from '@/paths/staffPaths';
import { Button, ButtonLink } from '@/ui/Button';
import type { Column } from '@/ui/column';
import { ListScreen } from '@/ui/ListScreen';
import { LoadedTable } from '@/ui/LoadedTable';
import { SearchBox } from '@/ui/SearchBox';
import { memberTypesQuery, teamQuery } from './teamQueries';

export function TeamMemberList({ onDelete }: { onDelete: (member: TeamMember) => void }) {
  const team = useQuery(teamQuery);
  const types = useQuery(memberTypesQuery);
  const [q, setQ] = useState('');
  const wanted = q.trim().toLowerCase();
  const rows = team.data
    ?.map((member, index) => ({ ...member, number: index + 1 }))
    .filter(({ name, email, type }) =>
      [name, email, type].some((text) => text.toLowerCase().includes(wanted)),
    );
  return (
    <ListScreen
      title="Team Member List"
      nested
      summary={team.data && members(team.data.length)}
      busy={team.isFetching}
      bar={<SearchBox label="Search the team" value={q} onSearch={setQ} />}
    >
      <LoadedTable
        label="Team Member List"
        columns={columnsOf(types.data ?? [], onDelete)}
        rows={rows}
        rowId={({ id }) => id}
        error={team.error}
        onRetry={() => void team.refetch()}
        emptyReason={q ? `No team member matches “${q}”.` : 'There are no team members.'}
        onClear={q ? () => setQ('') : undefined}
      />
    </ListScreen>
  );
}

const members = (count: number) => `${count} ${count === 1 ? 'member' : 'members'}`;

function columnsOf(
  changeable: readonly TeamMember['type'][],
  onDelete: (member: TeamMember) => void,
): Column<TeamMember & { number: number }>[] {
  return [
    { title: '#', widthPx: 52, cell: ({ number }) => number },
    {
      title: 'Name',
      widthPx: 180,
      grows: true,
      cell: ({ name }) => <bdi title={name}>{name}</bdi>,
    },
    {
      title: 'Email',
      widthPx: 200,
      grows: true,
      cell: ({ email }) => <span title={email}>{email}</span>,
    },
    { title: 'Password', widthPx: 96, cell: ({ password }) => password },
    { title: 'Type', widthPx: 110, cell: ({ type }) => type },
    {
      title: 'Action',
      widthPx: 140,
      cell: (member) =>
        changeable.includes(member.type) && (
          <>
            <ButtonLink small aria-label={`Edit ${member.name}`} to={paths.teamMember(member.id)}>
              Edit
            </ButtonLink>{' '}
            <Button
              small
              kind="delete"
              aria-label={`Delete ${member.name}`}
              onClick={() => onDelete(member)}
            >
              Delete
            </Button>
          </>
        ),
    },
  ];
}
