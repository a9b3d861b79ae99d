import { useParams } from 'react-router';
import { decodeId } from '@/app/paths';

export function ViewOrderPage() {
  const orderId = decodeId(useParams()['orderId'] ?? '');
  return <h1>{orderId === null ? 'There is no such order' : `Order ${orderId}`}</h1>;
}
