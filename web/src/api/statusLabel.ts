import type { ProcessStatus } from './types';

/** The statuses that people read in other words than the wire's. */
const LABELS: Partial<Record<ProcessStatus, string>> = {
  Awaiting: 'Awaiting Customer',
  AwaitingGovt: 'Awaiting Govt',
};

/** A status of the wire as people read it. */
export function statusLabel(status: string): string {
  return Object.hasOwn(LABELS, status) ? LABELS[status as ProcessStatus]! : status;
}
