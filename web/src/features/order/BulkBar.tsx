import type { Permission } from '@/api/types';
import { copy } from '@/ui/copy';
import type { BulkAction } from './bulkActions';
import { formatCount } from '@/ui/numbers';
import classes from './BulkBar.module.css';

interface BulkBarProps {
  actions: readonly BulkAction[];
  may: Record<Permission, boolean>;
  /** The selected orders. */
  ids: readonly number[];
  busy: boolean;
  onRun: (action: BulkAction) => void;
  onClear: () => void;
}

/** The number of selected orders and the actions on them. */
export function BulkBar({ actions, may, ids, busy, onRun, onClear }: BulkBarProps) {
  if (ids.length === 0) return <span role="status" />;
  return (
    <div className={classes.bulk}>
      <span role="status" className={classes.count}>
        {formatCount(ids.length)} on this page selected
      </span>
      {actions
        .filter(({ permission }) => permission === undefined || may[permission])
        .map((action) => (
          <button
            key={action.label}
            type="button"
            className="button"
            data-small
            data-kind={action.question.danger ? 'danger' : 'primary'}
            disabled={busy}
            onClick={() => onRun(action)}
          >
            {action.label}
          </button>
        ))}
      <button type="button" className="button" data-small onClick={() => void copyIds(ids)}>
        Copy order ids
      </button>
      <button type="button" className="button" data-small onClick={onClear}>
        Clear
      </button>
    </div>
  );
}

function copyIds(ids: readonly number[]): Promise<void> {
  const said = ids.length === 1 ? 'Order id copied' : `${formatCount(ids.length)} order ids copied`;
  return copy(ids.join('\n'), said);
}
