import type { ReactNode } from 'react';
import classes from './Chip.module.css';

/** The meaning of a colour. */
export type Tone = 'info' | 'warn' | 'violet' | 'done' | 'danger' | 'neutral';

interface ChipProps {
  tone: Tone;
  children: ReactNode;
}

/** A short label on its colour. */
export function Chip({ tone, children }: ChipProps) {
  return (
    <span className={classes.chip} data-tone={tone}>
      {children}
    </span>
  );
}
