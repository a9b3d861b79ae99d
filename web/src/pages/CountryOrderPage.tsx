import { CountryOrders } from '@/features/report/CountryOrders';
import { useMe } from '@/session/me';

export function CountryOrderPage() {
  return <CountryOrders me={useMe()} />;
}
