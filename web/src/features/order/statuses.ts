/** The process statuses as the wire spells them, and how a person reads them. */
const LABELS: Record<string, string> = {
  Awaiting: 'Awaiting Customer',
  AwaitingGovt: 'Awaiting Govt',
};

type Tone = 'info' | 'warn' | 'violet' | 'done' | 'danger' | 'neutral';

const TONES: Record<string, Tone> = {
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

export function statusLabel(status: string): string {
  return LABELS[status] ?? status;
}

export function statusTone(status: string): Tone {
  return TONES[status] ?? 'neutral';
}
