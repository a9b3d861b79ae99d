import { useInfiniteQuery } from '@tanstack/react-query';
import type { AccessEntry } from '@/api/types';
import type { Origin } from '@/paths/origin';
import { notifyFailure } from '@/session/notifyFailure';
import type { Column } from '@/ui/column';
import { CsvButton } from '@/ui/CsvButton';
import { actionLabel, knownActions } from './accessActions';
import { accessLogFile, accessLogQuery } from './accessLogQuery';
import { logColumns, LogScreen } from './LogScreen';
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
  const { at, person, action, order, ip } = logColumns<AccessEntry>(
    origin,
    actionLabel,
    (entry) => entry.person,
  );
  return [
    at,
    person,
    { ...action, grows: true },
    order,
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
    ip,
  ];
}
