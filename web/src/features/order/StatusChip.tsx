import type { ReactNode } from 'react';
import { statusLabel } from '@/api/statusLabel';
import type { ProcessStatus } from '@/api/types';
import classes from './StatusChip.module.css';
import { statusTone, type Tone } from './statuses';

export function StatusChip({ status }: { status: ProcessStatus }) {
  return <Chip tone={statusTone(status)}>{statusLabel(status)}</Chip>;
}

/** A word on the colour that goes with it. */
export function Chip({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={classes.chip} data-tone={tone}>
      {children}
    </span>
  );
}
