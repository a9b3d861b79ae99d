import { Button } from '@/ui/Button';
import classes from './ActionBar.module.css';
import type { Moves } from './useMoves';

/** The actions on the order within reach of the thumb: the next one, and the sheet with all of them. */
export function ActionBar({ moves, onMove }: { moves: Moves; onMove: () => void }) {
  const { own, busy, place } = moves;
  const first = own.find(({ kind }) => kind === 'primary') ?? moves.moves[0];
  return (
    <section
      ref={place}
      className={classes.bar}
      aria-label="Actions"
      tabIndex={-1}
      aria-busy={busy}
    >
      {first && (
        <Button kind={first.kind} busy={busy} onClick={first.run}>
          {first.label}
        </Button>
      )}
      <Button kind={first?.kind === 'primary' ? undefined : 'primary'} busy={busy} onClick={onMove}>
        Move
      </Button>
    </section>
  );
}
