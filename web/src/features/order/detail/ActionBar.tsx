import type { OrderDetails } from '@/api/types';
import { Button, ButtonAnchor } from '@/ui/Button';
import classes from './ActionBar.module.css';
import type { Moves } from './useMoves';

interface ActionBarProps {
  order: OrderDetails;
  moves: Moves;
  /** Each is undefined where the member may not do it. */
  onComment: (() => void) | undefined;
  onMove: (() => void) | undefined;
}

/** The work on the order within reach of the thumb. Nothing in it changes the order at one tap. */
export function ActionBar({ order, moves, onComment, onMove }: ActionBarProps) {
  const { busy, place } = moves;
  return (
    <section
      ref={place}
      className={classes.bar}
      aria-label="Actions"
      tabIndex={-1}
      aria-busy={busy}
    >
      {onComment && <Button onClick={onComment}>Comment</Button>}
      {order.telephone && <ButtonAnchor href={`tel:${order.telephone.dialled}`}>Call</ButtonAnchor>}
      {onMove && (
        <Button kind="primary" busy={busy} aria-haspopup="dialog" onClick={onMove}>
          Move
        </Button>
      )}
    </section>
  );
}
