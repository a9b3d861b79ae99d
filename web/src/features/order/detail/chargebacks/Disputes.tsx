import type { OrderDetails, UserInfo } from '@/api/types';
import { ChargebackCard } from './ChargebackCard';
import { DefencePacks } from './DefencePacks';

/** The order's chargeback and its defence. */
export function Disputes({ order, me }: { order: OrderDetails; me: UserInfo }) {
  return (
    <>
      {order.chargeback && <ChargebackCard order={order} record={order.chargeback} me={me} />}
      {order.allowed.make_packs && <DefencePacks order={order} me={me} />}
    </>
  );
}
