import { useParams } from 'react-router';
import { decodeId } from '@/paths/encodedId';
import { OrderTimeline } from '@/features/audit/OrderTimeline';
import { NoSuchOrder, OrderDetail } from '@/features/order/detail/OrderDetail';

export function ViewOrderPage() {
  const orderId = decodeId(useParams()['orderId'] ?? '');
  return orderId === null ? (
    <NoSuchOrder />
  ) : (
    <OrderDetail key={orderId} orderId={orderId} Timeline={OrderTimeline} />
  );
}
