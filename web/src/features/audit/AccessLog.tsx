import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { AccessEntry } from '@/api/types';
import { fromOrigin, type Origin } from '@/paths/origin';
import { paths } from '@/paths/staffPaths';
import { notifyFailure } from '@/session/notifyFailure';
import type { Column } from '@/ui/column';
import { CsvButton } from '@/ui/CsvButton';
import { TimeWithoutZone } from '@/ui/Time';
import { actionLabel, knownActions } from './accessActions';
import { accessLogFile, accessLogQuery } from './accessLogQuery';
import { LogScreen } from './LogScreen';
import { useAuditFilter } from './useAuditFilter';

const actions = { known: knownActions, labelOf: actionLabel };

/** The length of the part of a search's HMAC that is shown: enough to recognise an equal search. */
const SHOWN_OF_SEARCH = 8;

interface AccessLogProps {
  /** The title of a folder by its name on the wire. */
  folderTitle: (orderName: string) => string;
}

/** The data that members have seen, newest first. */
export function AccessLog({ folderTitle }: AccessLogProps) {
  const { filter, setFilter } = useAuditFilter();
  const log = useInfiniteQuery(accessLogQuery(filter));
  return (
    <LogScreen
      title="Access Log"
      log={log}
      filter={filter}
      onFilter={setFilter}
      actions={actions}
      columns={(origin) => columnsOf(origin, folderTitle)}
      action={
        <CsvButton load={(signal) => accessLogFile(filter, signal)} onFailure={notifyFailure} />
      }
    />
  );
}

function columnsOf(
  origin: Origin,
  folderTitle: AccessLogProps['folderTitle'],
): Column<AccessEntry>[] {
  return [
    {
      title: 'Date & Time',
      widthPx: 156,
      narrowPx: 92,
      cell: ({ at }) => <TimeWithoutZone iso={at} />,
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
