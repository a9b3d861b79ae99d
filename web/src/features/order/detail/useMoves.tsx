import { useRef, useState, type ReactNode, type RefObject } from 'react';
import type { OrderDetails } from '@/api/types';
import type { ButtonKind } from '@/ui/Button';
import { useMe } from '@/session/me';
import { asksFirst, offerOf, useOffers } from '../actions/offers';
import {
  movesOf,
  ownActionsOf,
  ownLabelOf,
  type FormAction,
  type OrderAction,
} from '../actions/orderActions';
import { useActionKeys } from '../actions/useActionKeys';
import { useOrderActions } from '../actions/useOrderActions';
import { TakeBackRefund } from './TakeBackRefund';

/** An action on the shown order, ready to be drawn as a button. */
export interface Move {
  label: string;
  kind?: ButtonKind | undefined;
  /** The action asks before it runs. */
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

/** The actions on the shown order, from the registry, with their keys. */
export function useMoves(order: OrderDetails): Moves {
  const me = useMe();
  const place = useRef<HTMLElement>(null);
  const { perform, busy, dialog } = useOrderActions({ waits: true });
  const [isTakingBack, setTakingBack] = useState(false);
  const act = async (action: OrderAction | FormAction) => {
    if ('form' in action) {
      setTakingBack(true);
      return;
    }
    await perform(action, { ids: [order.order_id], me, updatedAt: order.updated_at });
    // No control has the focus, because the pressed one is gone or a key was pressed: the keyboard continues from here.
    if (document.activeElement?.contains(place.current))
      place.current?.focus({ preventScroll: true });
  };
  const own = ownActionsOf(order);
  const moves = movesOf(order);
  useActionKeys(own, (action) => {
    if (!busy) void act(action);
  });
  const about = `Order ${order.order_id}`;
  useOffers(() =>
    busy ? [] : [...own, ...moves].map((action) => offerOf(action, about, () => void act(action))),
  );

  const drawn = (action: OrderAction | FormAction): Move => ({
    label: ownLabelOf(action),
    kind: action.kind,
    asks: asksFirst(action),
    run: () => void act(action),
  });
  return {
    own: own.map(drawn),
    moves: moves.map(drawn),
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
