import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'react-router';
import type { AccessEntry, UserInfo } from '@/api/types';
import { fromOrigin, type Origin } from '@/paths/origin';
import { paths } from '@/paths/staffPaths';
import { notifyFailure } from '@/session/notifyFailure';
import { now } from '@/ui/clock';
import type { Column } from '@/ui/column';
import { CsvButton } from '@/ui/CsvButton';
import { TableNote, ListScreen } from '@/ui/ListScreen';
import { LoadedTable } from '@/ui/LoadedTable';
import { Time } from '@/ui/Time';
import { zoneName } from '@/ui/times';
import { actionLabel, knownActions } from './accessActions';
import { accessLogFile, accessLogQuery } from './accessLogQuery';
import { AuditFilterForm } from './AuditFilterForm';
import { NO_FILTER } from './auditQuery';
import { useAuditFilter } from './useAuditFilter';

const actions = { known: knownActions, labelOf: actionLabel };

/** How much of a search's HMAC is shown: enough to recognise an equal search. */
const SHOWN_OF_SEARCH = 8;

interface AccessLogProps {
  me: UserInfo;
  /** The title of a folder by its name on the wire. */
  folderTitle: (orderName: string) => string;
}

/** What members have seen, newest first. */
export function AccessLog({ me, folderTitle }: AccessLogProps) {
  const zone = me.agency_time_zone;
  const { filter, setFilter } = useAuditFilter();
  const log = useInfiniteQuery(accessLogQuery(filter));
  const isFiltered = Object.values(filter).some((text) => text !== '');
  const rows = log.data?.pages.flatMap(({ data }) => data);
  const { pathname, search, key } = useLocation();
  const origin = { label: 'Back to access log', path: pathname + search, scrollKey: key };
  return (
    <ListScreen
      title="Access log"
      summary={`times in ${zoneName(now().toISOString(), zone)}`}
      action={<CsvButton load={() => accessLogFile(filter)} onFailure={notifyFailure} />}
      busy={log.isFetching}
      bar={<AuditFilterForm filter={filter} actions={actions} onSubmit={setFilter} />}
    >
      <LoadedTable
        label="Access log"
        columns={columnsOf(zone, origin, folderTitle)}
        rows={rows}
        rowId={({ id }) => id}
        error={log.error}
        onRetry={() => void (rows ? log.fetchNextPage() : log.refetch())}
        emptyReason={isFiltered ? 'Nothing matches these filters.' : 'No activity yet.'}
        onClearSearch={isFiltered ? () => setFilter(NO_FILTER) : undefined}
      />
      {log.hasNextPage && !log.error && (
        <TableNote>
          <button
            type="button"
            className="button"
            disabled={log.isFetching}
            onClick={() => void log.fetchNextPage()}
          >
            Show older
          </button>
        </TableNote>
      )}
    </ListScreen>
  );
}

function columnsOf(
  zone: string,
  origin: Origin,
  folderTitle: AccessLogProps['folderTitle'],
): Column<AccessEntry>[] {
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
      cell: ({ person }) => <bdi title={person}>{person}</bdi>,
    },
    {
      // On phones the column `Action` has no label: it holds buttons.
      title: 'Event',
      widthPx: 150,
      grows: true,
      narrowPx: 120,
      cell: ({ action }) => <span title={action}>{actionLabel(action)}</span>,
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
    { title: 'Folder', widthPx: 130, cell: ({ folder }) => folder && folderTitle(folder) },
    {
      title: 'Search',
      widthPx: 84,
      cell: ({ search }) =>
        search && (
          <span title="Equal searches have the same code. The text itself is not stored.">
            {search.slice(0, SHOWN_OF_SEARCH)}
          </span>
        ),
    },
    { title: 'Rows', widthPx: 56, cell: ({ rows }) => rows },
    { title: 'IP Address', widthPx: 116, cell: ({ ip }) => ip && <bdi title={ip}>{ip}</bdi> },
  ];
}
