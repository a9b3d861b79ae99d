import { OrderDetails } from '@/features/visitor/OrderDetails';

interface NewOrderDetailsPageProps {
  orderId: number | null;
  onStranger: () => void;
}

export function NewOrderDetailsPage({ orderId, onStranger }: NewOrderDetailsPageProps) {
  return <OrderDetails orderId={orderId} onStranger={onStranger} />;
}
