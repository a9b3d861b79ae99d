import type { ProcessStatus } from '@/api/types';
import type { Tone } from '@/ui/Chip';

/** The colour of a status, and the label of the move that leads to it. Null: no button moves an order there. */
interface StatusLook {
  tone: Tone;
  move: string | null;
}

/** Every process status. Their moves are on an order's own screen in this order, the most frequent first. */
export const STATUSES: Record<ProcessStatus, StatusLook> = {
  Completed: { tone: 'done', move: 'Completed Orders' },
  Awaiting: { tone: 'warn', move: 'Awaiting Response' },
  AwaitingGovt: { tone: 'violet', move: 'Awaiting Govt' },
  'Contact Customer': { tone: 'warn', move: 'Contact Customer' },
  'Customer Called': { tone: 'info', move: 'Customer Called' },
  Refunds: { tone: 'danger', move: 'Completed Refunds' },
  ChargeBack: { tone: 'danger', move: 'ChargeBack' },
  New: { tone: 'info', move: null },
  Pending: { tone: 'neutral', move: null },
  Future: { tone: 'violet', move: null },
  Deleted: { tone: 'neutral', move: null },
};
