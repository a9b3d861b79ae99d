import type { OrderDetails, UserInfo } from '@/api/types';
import { ChargebackCard } from './ChargebackCard';
import { DefencePacks } from './DefencePacks';

interface DisputesProps {
  order: OrderDetails;
  me: UserInfo;
  /** Nothing comes after them. */
  isLast: boolean;
}

/** The order's chargeback and its defence. */
export function Disputes({ order, me, isLast }: DisputesProps) {
  return (
    <>
      {order.chargeback && <ChargebackCard order={order} record={order.chargeback} me={me} />}
      {order.allowed.make_packs && <DefencePacks order={order} me={me} isLast={isLast} />}
    </>
  );
}
