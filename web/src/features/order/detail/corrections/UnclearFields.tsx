import type { OrderDetails } from '@/api/types';
import { useChange } from '@/session/useChange';
import { Button } from '@/ui/Button';
import { ORDER } from '../../orderQueries';
import { labelOf } from '../orderFields';
import { correct } from './correctionCall';
import classes from './UnclearFields.module.css';

/** The fields that the sales site sent in a form that is not understood, as they were sent, until a member has dealt with them. */
export function UnclearFields({ order }: { order: OrderDetails }) {
  const open = order.kept_values.filter((kept) => kept.is_open);
  const { send, busy } = useChange({
    run: (field: string) => correct(order.order_id, { [field]: { before: null, after: null } }),
    stale: ORDER,
    waits: true,
  });
  if (open.length === 0) return null;
  return (
    <section className={classes.notice} aria-label="Unclear fields">
      <p>
        <strong>The customer sent this in a form that is not understood.</strong> Correct the field
        below, or leave it as it is.
      </p>
      <ul className={classes.list}>
        {open.map(({ field, value, reason }) => (
          <li key={field} className={classes.item}>
            <span className={classes.text}>
              <strong>{labelOf(field)}</strong>: <q dir="auto">{value}</q>
              <small>This {reason}</small>
            </span>
            <Button
              small
              busy={busy}
              aria-label={`Nothing to correct: ${labelOf(field)}`}
              onClick={() => void send(field)}
            >
              Nothing to correct
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
