import { useParams } from 'react-router';
import { decodeId } from '@/paths/encodedId';
import { OrderTimeline } from '@/features/audit/OrderTimeline';
import { useMe } from '@/session/me';
import { NoSuchOrder, OrderDetail } from '@/features/order/detail/OrderDetail';

/** The screen of one order. */
export function ViewOrderPage() {
  const me = useMe();
  const orderId = decodeId(useParams()['orderId'] ?? '');
  return orderId === null ? (
    <NoSuchOrder />
  ) : (
    <OrderDetail key={orderId} orderId={orderId} me={me} Timeline={OrderTimeline} />
  );
}
