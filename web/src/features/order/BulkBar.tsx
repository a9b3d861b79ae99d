import type { OrderSummary } from '@/api/types';
import { Button } from '@/ui/Button';
import { copy } from '@/ui/copy';
import { isOffered, type OrderAction } from './actions/orderActions';
import { formatCount } from '@/ui/numbers';
import classes from './BulkBar.module.css';

interface BulkBarProps {
  actions: readonly OrderAction[];
  rows: readonly OrderSummary[];
  /** The selection in words. */
  selected: string;
  busy: boolean;
  onRun: (action: OrderAction) => void;
  onClear: () => void;
}

/** The number of selected orders and the actions on them. */
export function BulkBar({ actions, rows, selected, busy, onRun, onClear }: BulkBarProps) {
  const ids = rows.map((row) => row.order_id);
  const hasRows = ids.length > 0;
  return (
    <div className={hasRows ? classes.bulk : undefined}>
      {/* It is there before the first count, which would not be announced otherwise. */}
      <span role="status" className={classes.count}>
        {hasRows && selected}
      </span>
      {hasRows && (
        <>
          {actions
            .filter((action) => isOffered(action, rows))
            .map((action, place) => (
              <Button
                key={action.label}
                small
                kind={action.kind ?? (place === 0 ? 'primary' : undefined)}
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
          <span className={classes.clear}>
            <Button small onClick={onClear}>
              Clear
            </Button>
          </span>
        </>
      )}
    </div>
  );
}

function copyIds(ids: readonly number[]): Promise<void> {
  const notice =
    ids.length === 1 ? 'Order id copied' : `${formatCount(ids.length)} order ids copied`;
  return copy(ids.join('\n'), notice);
}
