import { useRef, useState } from 'react';
import type { OrderDetails, UserInfo } from '@/api/types';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { useHotkeys } from '@/ui/useHotkeys';
import { assignToMe, movesOf, ownActionsOf, type OrderAction } from '../actions/orderActions';
import { useOrderActions } from '../actions/useOrderActions';
import layout from './layout.module.css';
import classes from './OrderActions.module.css';
import { TakeBackRefund } from './TakeBackRefund';

interface OrderActionsProps {
  order: OrderDetails;
  me: UserInfo;
}

/** The actions on the order. They stay in view while the page scrolls. */
export function OrderActions({ order, me }: OrderActionsProps) {
  const card = useRef<HTMLElement>(null);
  const { perform, busy, dialog } = useOrderActions({ waits: true });
  const [isTakingBack, setTakingBack] = useState(false);
  const own = ownActionsOf(order);
  const act = async (action: OrderAction) => {
    await perform(action, { ids: [order.order_id], me, updatedAt: order.updated_at });
    // No control has the focus, because the pressed one is gone or a key was pressed: the keyboard continues from here.
    if (document.activeElement?.contains(card.current))
      card.current?.focus({ preventScroll: true });
  };
  useHotkeys({
    a: () => {
      const action = own.find((action) => action === assignToMe);
      if (action && !busy) void act(action);
    },
  });

  const button = (action: OrderAction) => (
    <Button
      key={action.label}
      small
      kind={action.kind}
      disabled={busy}
      onClick={() => void act(action)}
    >
      {action.ownLabel ?? action.label}
    </Button>
  );
  return (
    <Card
      as="section"
      ref={card}
      className={layout.actions}
      aria-label="Actions"
      tabIndex={-1}
      aria-busy={busy}
    >
      <div className={classes.own}>
        <h2>Move to</h2>
        {own.map(button)}
      </div>
      <div className={classes.moves}>
        {movesOf(order).map(button)}
        {order.allowed.take_back_refund && (
          <Button small disabled={busy} onClick={() => setTakingBack(true)}>
            Take refund mark back
          </Button>
        )}
      </div>
      {isTakingBack && (
        <TakeBackRefund orderId={order.order_id} onClose={() => setTakingBack(false)} />
      )}
      {dialog}
    </Card>
  );
}
