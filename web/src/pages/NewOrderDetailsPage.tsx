import { OrderDetails } from '@/features/visitor/OrderDetails';

interface NewOrderDetailsPageProps {
  orderId: number | null;
  onAccessLost: () => void;
}

export function NewOrderDetailsPage({ orderId, onAccessLost }: NewOrderDetailsPageProps) {
  return <OrderDetails orderId={orderId} onAccessLost={onAccessLost} />;
}
