import { useState, type ReactNode } from 'react';
import { Button } from './Button';
import classes from './Fold.module.css';

interface FoldProps {
  /** The label of the button that shows the content. */
  label: string;
  children: ReactNode;
}

/** Content that a phone shows on demand. Wider screens always show it, without the button. */
export function Fold({ label, children }: FoldProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={classes.fold} data-open={isOpen || undefined}>
      <div className={classes.toggle}>
        <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {label}
        </Button>
      </div>
      <div className={classes.content}>{children}</div>
    </div>
  );
}
