import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'react-router';
import type { AuditEntry, UserInfo } from '@/api/types';
import { fromOrigin, type Origin } from '@/paths/origin';
import { paths } from '@/paths/staffPaths';
import { now } from '@/ui/clock';
import type { Column } from '@/ui/column';
import { TableNote, ListScreen } from '@/ui/ListScreen';
import { LoadedTable } from '@/ui/LoadedTable';
import { Time } from '@/ui/Time';
import { zoneName } from '@/ui/times';
import { AuditFilterForm } from './AuditFilterForm';
import { auditQuery, NO_FILTER } from './auditQuery';
import { changeText, eventLabel, knownEvents } from './auditEvents';
import { useAuditFilter } from './useAuditFilter';

const actions = { known: knownEvents, labelOf: eventLabel };

/** The audit events, newest first. */
export function AuditList({ me }: { me: UserInfo }) {
  const zone = me.agency_time_zone;
  const { filter, setFilter } = useAuditFilter();
  const audit = useInfiniteQuery(auditQuery(filter));
  const isFiltered = Object.values(filter).some((text) => text !== '');
  const rows = audit.data?.pages.flatMap(({ data }) => data);
  const { pathname, search, key } = useLocation();
  const origin = { label: 'Back to audit', path: pathname + search, scrollKey: key };
  return (
    <ListScreen
      title="Audit"
      summary={`times in ${zoneName(now().toISOString(), zone)}`}
      busy={audit.isFetching}
      bar={<AuditFilterForm filter={filter} actions={actions} onSubmit={setFilter} />}
    >
      <LoadedTable
        label="Audit"
        columns={columnsOf(zone, origin)}
        rows={rows}
        rowId={({ id }) => id}
        error={audit.error}
        onRetry={() => void (rows ? audit.fetchNextPage() : audit.refetch())}
        emptyReason={isFiltered ? 'Nothing matches these filters.' : 'No activity yet.'}
        onClearSearch={isFiltered ? () => setFilter(NO_FILTER) : undefined}
      />
      {audit.hasNextPage && !audit.error && (
        <TableNote>
          <button
            type="button"
            className="button"
            disabled={audit.isFetching}
            onClick={() => void audit.fetchNextPage()}
          >
            Show older
          </button>
        </TableNote>
      )}
    </ListScreen>
  );
}

function columnsOf(zone: string, origin: Origin): Column<AuditEntry>[] {
  return [
    {
      title: 'Date & Time',
      widthPx: 176,
      narrowPx: 96,
      cell: ({ at }) => <Time iso={at} zone={zone} />,
    },
    {
      title: 'Person',
      widthPx: 130,
      narrowPx: 104,
      cell: ({ actor }) => <bdi title={actor}>{actor}</bdi>,
    },
    {
      // On phones the column `Action` has no label: it holds buttons.
      title: 'Event',
      widthPx: 164,
      narrowPx: 120,
      cell: ({ action }) => <span title={action}>{eventLabel(action)}</span>,
    },
    {
      title: 'Order',
      widthPx: 72,
      cell: ({ order_id: id }) =>
        id && (
          <Link to={paths.viewOrder(id)} state={fromOrigin(origin)}>
            {id}
          </Link>
        ),
    },
    {
      title: 'Change',
      widthPx: 180,
      grows: true,
      cell: (entry) => {
        const change = changeText(entry);
        return (
          change && (
            <span dir="auto" title={change}>
              {change}
            </span>
          )
        );
      },
    },
    { title: 'IP Address', widthPx: 116, cell: ({ ip }) => ip && <bdi title={ip}>{ip}</bdi> },
  ];
}
