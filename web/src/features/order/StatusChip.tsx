import { statusLabel } from '@/i18n/statusLabel';
import type { ProcessStatus } from '@/api/types';
import { Chip, type Tone } from '@/ui/Chip';

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
