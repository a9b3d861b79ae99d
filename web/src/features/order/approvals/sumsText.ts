import type { RefundRequest } from '@/api/types';
import { formatCount } from '@/ui/numbers';

/** `EUR 20.00, USD 298.00, 3 orders without a payment`. */
export function sumsText({
  sums,
  without_payment: unpaid,
}: Pick<RefundRequest, 'sums' | 'without_payment'>): string {
  const parts = sums.map(({ currency, amount }) => `${currency} ${amount}`);
  if (unpaid > 0) {
    parts.push(`${formatCount(unpaid)} ${unpaid === 1 ? 'order' : 'orders'} without a payment`);
  }
  return parts.join(', ');
}
