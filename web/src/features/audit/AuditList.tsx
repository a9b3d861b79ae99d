import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { AuditEntry } from '@/api/types';
import { fromOrigin, type Origin } from '@/paths/origin';
import { paths } from '@/paths/staffPaths';
import type { Column } from '@/ui/column';
import { TimeWithoutZone } from '@/ui/Time';
import { auditQuery } from './auditQuery';
import { changeText, eventLabel, knownEvents } from './auditEvents';
import { LogScreen } from './LogScreen';
import { useAuditFilter } from './useAuditFilter';

const actions = { known: knownEvents, labelOf: eventLabel };

/** The audit events, newest first. */
export function AuditList() {
  const { filter, setFilter } = useAuditFilter();
  const audit = useInfiniteQuery(auditQuery(filter));
  return (
    <LogScreen
      title="Audit"
      log={audit}
      filter={filter}
      onFilter={setFilter}
      actions={actions}
      columns={columnsOf}
    />
  );
}

function columnsOf(origin: Origin): Column<AuditEntry>[] {
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
