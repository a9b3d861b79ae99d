import type { OrderDetails } from '@/api/types';
import { ChargebackCard } from './ChargebackCard';
import { DefencePacks } from './DefencePacks';

interface DisputesProps {
  order: OrderDetails;
  /** Nothing comes after them. */
  isLast: boolean;
}

/** The order's chargeback and its defence. */
export function Disputes({ order, isLast }: DisputesProps) {
  return (
    <>
      {order.chargeback && <ChargebackCard order={order} record={order.chargeback} />}
      {order.allowed.make_packs && <DefencePacks order={order} isLast={isLast} />}
    </>
  );
}
