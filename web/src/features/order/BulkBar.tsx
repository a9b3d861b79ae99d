import type { OrderSummary } from '@/api/types';
import { Button } from '@/ui/Button';
import { copy } from '@/ui/copy';
import { isOffered, type OrderAction } from './actions/orderActions';
import { formatCount } from '@/ui/numbers';
import classes from './BulkBar.module.css';

interface BulkBarProps {
  actions: readonly OrderAction[];
  /** The selected orders. */
  rows: readonly OrderSummary[];
  busy: boolean;
  onRun: (action: OrderAction) => void;
  onClear: () => void;
}

/** The number of selected orders and the actions on them. */
export function BulkBar({ actions, rows, busy, onRun, onClear }: BulkBarProps) {
  const ids = rows.map((row) => row.order_id);
  if (ids.length === 0) return <span role="status" />;
  return (
    <div className={classes.bulk}>
      <span role="status" className={classes.count}>
        {formatCount(ids.length)} on this page selected
      </span>
      {actions
        .filter((action) => isOffered(action, rows))
        .map((action) => (
          <Button
            key={action.label}
            small
            kind={action.kind ?? 'primary'}
            disabled={busy}
            onClick={() => onRun(action)}
          >
            {action.label}
          </Button>
        ))}
      <span className={classes.copy}>
        <Button small onClick={() => void copyIds(ids)}>
          Copy order ids
        </Button>
      </span>
      <Button small onClick={onClear}>
        Clear
      </Button>
    </div>
  );
}

function copyIds(ids: readonly number[]): Promise<void> {
  const notice =
    ids.length === 1 ? 'Order id copied' : `${formatCount(ids.length)} order ids copied`;
  return copy(ids.join('\n'), notice);
}
