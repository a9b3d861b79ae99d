import { useQuery } from '@tanstack/react-query';
import { answer, api } from '@/api/client';
import type { StaffSession } from '@/api/types';
import { useChange } from '@/session/useChange';
import { Button } from '@/ui/Button';
import type { Column } from '@/ui/column';
import { ListScreen } from '@/ui/ListScreen';
import { LoadedTable } from '@/ui/LoadedTable';
import { Time } from '@/ui/Time';
import { sessionsQuery } from './securityQueries';

/** Where the member is signed in. */
export function SessionList() {
  const sessions = useQuery(sessionsQuery);
  const { send: end } = useChange({
    run: (id: string) => answer(api.POST('/api/admin/end-session', { body: { id } })),
    stale: sessionsQuery.queryKey,
  });
  return (
    <ListScreen
      title="Where you are signed in"
      nested
      summary={sessions.data && countOf(sessions.data.length)}
      busy={sessions.isFetching}
      bar="End every session that you do not know, and change your password."
    >
      <LoadedTable
        label="Sessions"
        columns={columnsOf((id) => void end(id))}
        rows={sessions.data}
        rowId={(_, index) => index}
        error={sessions.error}
        onRetry={() => void sessions.refetch()}
        emptyReason="There are no sessions."
      />
    </ListScreen>
  );
}

const countOf = (count: number) => `${count} ${count === 1 ? 'session' : 'sessions'}`;

function columnsOf(onEnd: (id: string) => void): Column<StaffSession>[] {
  return [
    { title: 'Device', widthPx: 200, grows: true, cell: (session) => deviceOf(session) },
    {
      title: 'Place',
      widthPx: 190,
      grows: true,
      cell: ({ location, ip }) => placeOf(location, ip),
    },
    {
      title: 'Signed in',
      widthPx: 190,
      cell: ({ signed_in_at }) => <Time iso={signed_in_at} />,
    },
    {
      title: 'Last used',
      widthPx: 190,
      cell: ({ last_used_at }) => <Time iso={last_used_at} />,
    },
    {
      title: 'Action',
      widthPx: 130,
      cell: (session) =>
        session.is_this ? (
          'This session'
        ) : (
          <Button
            small
            kind="danger"
            aria-label={`End ${deviceOf(session)}`}
            onClick={() => onEnd(session.id)}
          >
            End
          </Button>
        ),
    },
  ];
}

function deviceOf({ browser, os }: StaffSession): string {
  if (browser === 'Unknown' && os === 'Unknown') return 'Unknown device';
  return os === 'Unknown' ? browser : `${browser} on ${os}`;
}

function placeOf(location: string, ip: string): string {
  const known = [location, ip].filter((part) => part !== '' && part !== '-');
  return known.length > 0 ? known.join(' · ') : 'Unknown';
}
