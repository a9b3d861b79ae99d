import type { OrderDetails, ProcessStatus } from '@/api/types';

const DEFENDED = new Set<ProcessStatus>(['Completed', 'Customer Called', 'ChargeBack']);

/** Whether defence packs are offered: the visa was delivered, or the delivery is disputed. Spec §2. */
export function mayBeDefended({ process_status: status }: Pick<OrderDetails, 'process_status'>) {
  return DEFENDED.has(status);
}
