import { CountryOrders } from '@/features/report/CountryOrders';
import { useMe } from '@/features/auth/me';

export function CountryOrderPage() {
  return <CountryOrders me={useMe()} />;
}
