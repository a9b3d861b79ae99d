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

/** The status in a list: a dot in its colour and its word. */
export function StatusWord({ status }: { status: ProcessStatus }) {
  return (
    <span className={classes.status} data-tone={TONES[status]}>
      {statusLabel(status)}
    </span>
  );
}
