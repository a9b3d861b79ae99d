import { useId } from 'react';
import { Button } from '@/ui/Button';
import { Modal } from '@/ui/Modal';
import classes from './MoveSheet.module.css';
import type { Move, Moves } from './useMoves';

interface MoveSheetProps extends Moves {
  orderId: number;
  /** The name of the folder that the order is in. */
  folder: string;
  onClose: () => void;
}

/** All actions on the order in one dialog: at the lower edge of a phone, in the middle of a larger screen. */
export function MoveSheet({ orderId, folder, own, moves, busy, onClose }: MoveSheetProps) {
  const titleId = useId();
  const all = [...own, ...moves];
  // What loses something is last and set apart.
  const sorted = [
    ...all.filter(({ kind }) => kind !== 'danger'),
    ...all.filter(({ kind }) => kind === 'danger'),
  ];
  const choose = ({ run }: Move) => {
    onClose();
    // The sheet gives the focus back first.
    requestAnimationFrame(run);
  };
  return (
    <Modal className={classes.sheet} aria-labelledby={titleId} backdropCloses onClose={onClose}>
      <div className={classes.content}>
        <h2 id={titleId}>Move order {orderId}</h2>
        <p>Now in {folder}</p>
        <ul>
          {sorted.map((move, index) => (
            <li key={move.label}>
              <button
                type="button"
                data-kind={move.kind}
                data-autofocus={index === 0 || undefined}
                disabled={busy}
                onClick={() => choose(move)}
              >
                {move.asks ? `${move.label}…` : move.label}
              </button>
            </li>
          ))}
        </ul>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </Modal>
  );
}
