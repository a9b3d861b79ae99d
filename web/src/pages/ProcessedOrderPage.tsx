import { ProcessedOrders } from '@/features/report/ProcessedOrders';
import { useMe } from '@/features/auth/me';

export function ProcessedOrderPage() {
  return <ProcessedOrders me={useMe()} />;
}
