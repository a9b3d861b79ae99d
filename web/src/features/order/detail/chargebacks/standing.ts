import type { OrderDetails, ProcessStatus } from '@/api/types';

const DEFENDED = new Set<ProcessStatus>(['Completed', 'Customer Called', 'ChargeBack']);

/** Whether packs are made for the order: its visa was delivered, or somebody disputes that. */
export function mayBeDefended({ process_status: status }: Pick<OrderDetails, 'process_status'>) {
  return DEFENDED.has(status);
}
