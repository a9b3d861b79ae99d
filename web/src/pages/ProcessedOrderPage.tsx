import { ProcessedOrders } from '@/features/report/ProcessedOrders';
import { useMe } from '@/session/me';

export function ProcessedOrderPage() {
  return <ProcessedOrders me={useMe()} />;
}
