import { useInfiniteQuery } from '@tanstack/react-query';
import type { AuditEntry } from '@/api/types';
import type { Origin } from '@/paths/origin';
import type { Column } from '@/ui/column';
import { auditQuery } from './auditQuery';
import { changeText, eventLabel, knownEvents } from './auditEvents';
import { logColumns, LogScreen } from './LogScreen';
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
  const { at, person, action, order, ip } = logColumns<AuditEntry>(
    origin,
    eventLabel,
    ({ actor }) => actor,
  );
  return [
    at,
    person,
    { ...action, widthPx: 164 },
    order,
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
    ip,
  ];
}
