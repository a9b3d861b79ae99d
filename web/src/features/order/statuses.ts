import type { ProcessStatus } from '@/api/types';

/** The process statuses as the wire spells them, and how a person reads them. */
const LABELS: Partial<Record<ProcessStatus, string>> = {
  Awaiting: 'Awaiting Customer',
  AwaitingGovt: 'Awaiting Govt',
};

export type Tone = 'info' | 'warn' | 'violet' | 'done' | 'danger' | 'neutral';

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

export function statusLabel(status: ProcessStatus): string {
  return LABELS[status] ?? status;
}

export function statusTone(status: ProcessStatus): Tone {
  return TONES[status];
}
