import type { ReactNode } from 'react';
import classes from './Chip.module.css';

/** The meaning of a colour. */
export type Tone = 'info' | 'warn' | 'violet' | 'done' | 'danger' | 'neutral';

/** A short label on its colour. */
export function Chip({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={classes.chip} data-tone={tone}>
      {children}
    </span>
  );
}
