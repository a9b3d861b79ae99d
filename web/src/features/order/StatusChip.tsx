import { statusLabel } from '@/i18n/statusLabel';
import type { ProcessStatus } from '@/api/types';
import { Chip, type Tone } from '@/ui/Chip';
import classes from './StatusChip.module.css';

/** The colour of each process status. */
const TONES: Record<ProcessStatus, Tone> = {
  New: 'info',
  Pending: 'neutral',
  Future: 'violet',
  Awaiting: 'warn',
  AwaitingGovt: 'violet',
  'Contact Customer': 'warn',
  'Customer Called': 'info',
  Completed: 'done',
  Refunds: 'danger',
  ChargeBack: 'danger',
  Deleted: 'neutral',
};

export function StatusChip({ status }: { status: ProcessStatus }) {
  return <Chip tone={TONES[status]}>{statusLabel(status)}</Chip>;
}

interface StatusWordProps {
  status: ProcessStatus;
  /** The text in place of the status, such as the folder that it leads to. */
  word?: string;
}

/** The status in a list: a dot in its colour and its word. */
export function StatusWord({ status, word = statusLabel(status) }: StatusWordProps) {
  return (
    <span className={classes.status} data-tone={TONES[status]}>
      {word}
    </span>
  );
}
