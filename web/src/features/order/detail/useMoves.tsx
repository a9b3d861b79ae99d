import { useRef, useState, type ReactNode, type RefObject } from 'react';
import type { OrderDetails, UserInfo } from '@/api/types';
import type { ButtonKind } from '@/ui/Button';
import { useHotkeys } from '@/ui/useHotkeys';
import { offerOf, useOffers } from '../actions/offers';
import { assignToMe, movesOf, ownActionsOf, type OrderAction } from '../actions/orderActions';
import { useOrderActions } from '../actions/useOrderActions';
import { TakeBackRefund } from './TakeBackRefund';

/** An action on the shown order, ready to be drawn as a button. */
export interface Move {
  label: string;
  kind?: ButtonKind | undefined;
  /** Whether it asks before it runs. */
  asks: boolean;
  run: () => void;
}

/** The actions that the server allows on an order. */
export interface Moves {
  /** On its owner and its deletion. */
  own: readonly Move[];
  /** To other folders, and the withdrawal of a refund mark. */
  moves: readonly Move[];
  busy: boolean;
  /** The element that takes the focus when the pressed button is gone. */
  place: RefObject<HTMLElement | null>;
  /** The open question or form. */
  dialogs: ReactNode;
}

/** The actions on the shown order, from the registry. The key `a` assigns it. */
export function useMoves(order: OrderDetails, me: UserInfo): Moves {
  const place = useRef<HTMLElement>(null);
  const { perform, busy, dialog } = useOrderActions({ waits: true });
  const [isTakingBack, setTakingBack] = useState(false);
  const act = async (action: OrderAction) => {
    await perform(action, { ids: [order.order_id], me, updatedAt: order.updated_at });
    // No control has the focus, because the pressed one is gone or a key was pressed: the keyboard continues from here.
    if (document.activeElement?.contains(place.current))
      place.current?.focus({ preventScroll: true });
  };
  const own = ownActionsOf(order);
  useHotkeys({
    a: () => {
      const action = own.find((action) => action === assignToMe);
      if (action && !busy) void act(action);
    },
  });
  const takeBack = order.allowed.take_back_refund
    ? [{ label: 'Take refund mark back', asks: true, run: () => setTakingBack(true) }]
    : [];
  const about = `Order ${order.order_id}`;
  useOffers(() =>
    busy
      ? []
      : [
          ...[...own, ...movesOf(order)].map((action) =>
            offerOf(action, about, () => void act(action)),
          ),
          ...takeBack.map((offer) => ({ ...offer, about })),
        ],
  );

  const drawn = (action: OrderAction): Move => ({
    label: action.ownLabel ?? action.label,
    kind: action.kind,
    asks: action.question !== undefined,
    run: () => void act(action),
  });
  return {
    own: own.map(drawn),
    moves: [...movesOf(order).map(drawn), ...takeBack],
    busy,
    place,
    dialogs: (
      <>
        {isTakingBack && (
          <TakeBackRefund orderId={order.order_id} onClose={() => setTakingBack(false)} />
        )}
        {dialog}
      </>
    ),
  };
}
