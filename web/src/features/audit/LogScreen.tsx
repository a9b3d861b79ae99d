import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { fromOrigin, type Origin } from '@/paths/origin';
import { paths } from '@/paths/staffPaths';
import { Button } from '@/ui/Button';
import { now } from '@/ui/clock';
import type { Column } from '@/ui/column';
import { Fold } from '@/ui/Fold';
import { ListScreen, TableNote } from '@/ui/ListScreen';
import { LoadedTable } from '@/ui/LoadedTable';
import { TimeWithoutZone } from '@/ui/Time';
import { zoneName } from '@/ui/times';
import { useZone } from '@/ui/zone';
import { AuditFilterForm, type FilterActions } from './AuditFilterForm';
import { type AuditFilter, givenFilters, NO_FILTER } from './auditQuery';

/** The pages of a log, as an infinite query loads them. */
interface Log<Entry> {
  data: { pages: { data: Entry[] }[] } | undefined;
  error: Error | null;
  isFetching: boolean;
  hasNextPage: boolean;
  fetchNextPage: () => unknown;
  refetch: () => unknown;
}

interface LogScreenProps<Entry> {
  title: string;
  log: Log<Entry>;
  filter: AuditFilter;
  onFilter: (filter: AuditFilter) => void;
  actions: FilterActions;
  /** The columns, whose links lead back here. */
  columns: (origin: Origin) => Column<Entry>[];
  /** Shown at the end of the heading's line. */
  action?: ReactNode;
}

/** A filtered log, newest first, which loads older entries on demand. */
export function LogScreen<Entry extends { id: number }>(props: LogScreenProps<Entry>) {
  const { title, log, filter, onFilter } = props;
  const zone = useZone();
  const given = Object.keys(givenFilters(filter)).length;
  const isFiltered = given > 0;
  const rows = log.data?.pages.flatMap(({ data }) => data);
  const { pathname, search, key } = useLocation();
  const label = `Back to ${title.toLowerCase()}`;
  return (
    <ListScreen
      title={title}
      summary={`times in ${zoneName(now().toISOString(), zone)}`}
      action={props.action}
      busy={log.isFetching}
      bar={
        <Fold label={isFiltered ? `Filters (${given})` : 'Filters'}>
          <AuditFilterForm filter={filter} actions={props.actions} onSubmit={onFilter} />
        </Fold>
      }
    >
      <LoadedTable
        label={title}
        columns={props.columns({ label, path: pathname + search, scrollKey: key })}
        rows={rows}
        rowId={({ id }) => id}
        error={log.error}
        onRetry={() => void (rows ? log.fetchNextPage() : log.refetch())}
        emptyReason={isFiltered ? 'Nothing matches these filters.' : 'No activity yet.'}
        onClear={isFiltered ? () => onFilter(NO_FILTER) : undefined}
      />
      {log.hasNextPage && !log.error && (
        <TableNote>
          <Button disabled={log.isFetching} onClick={() => void log.fetchNextPage()}>
            Show older
          </Button>
        </TableNote>
      )}
    </ListScreen>
  );
}

/** An entry of a log, as far as all logs have it. */
interface LogEntry {
  at: string;
  action: string;
  order_id?: number | null;
  ip?: string | null;
}

/** The columns that all logs have; the links to orders lead back to the log. */
export function logColumns<Entry extends LogEntry>(
  origin: Origin,
  labelOf: FilterActions['labelOf'],
  personOf: (entry: Entry) => string,
) {
  return {
    at: {
      title: 'Date & Time',
      widthPx: 156,
      narrowPx: 92,
      cell: ({ at }) => <TimeWithoutZone iso={at} />,
    },
    person: {
      title: 'Person',
      widthPx: 130,
      narrowPx: 104,
      cell: (entry) => <bdi title={personOf(entry)}>{personOf(entry)}</bdi>,
    },
    action: {
      // On phones the column `Action` has no label: it holds buttons.
      title: 'Event',
      widthPx: 150,
      narrowPx: 120,
      cell: ({ action }) => <span title={action}>{labelOf(action)}</span>,
    },
    order: {
      title: 'Order',
      widthPx: 72,
      cell: ({ order_id: id }) =>
        id && (
          <Link to={paths.viewOrder(id)} state={fromOrigin(origin)}>
            {id}
          </Link>
        ),
    },
    ip: { title: 'IP Address', widthPx: 116, cell: ({ ip }) => ip && <bdi title={ip}>{ip}</bdi> },
  } satisfies Record<string, Column<Entry>>;
}
