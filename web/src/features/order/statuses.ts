import type { ProcessStatus } from '@/api/types';

export type Tone = 'info' | 'warn' | 'violet' | 'done' | 'danger' | 'neutral';

/** The colour that goes with each. */
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

export function statusTone(status: ProcessStatus): Tone {
  return TONES[status];
}
