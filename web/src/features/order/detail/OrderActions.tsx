import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import classes from './OrderActions.module.css';
import type { Move, Moves } from './useMoves';

/** The actions on the order, each as a button. */
export function OrderActions({ own, moves, busy, place }: Moves) {
  const button = ({ label, kind, run }: Move) => (
    <Button key={label} small kind={kind} disabled={busy} onClick={run}>
      {label}
    </Button>
  );
  return (
    <Card
      as="section"
      ref={place}
      className={classes.actions}
      aria-label="Actions"
      tabIndex={-1}
      aria-busy={busy}
    >
      <div className={classes.own}>
        <h2>Move to</h2>
        {own.map(button)}
      </div>
      <div className={classes.moves}>{moves.map(button)}</div>
    </Card>
  );
}
