import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { ApiError } from '@/api/ApiError';
import type { OrderDetails } from '@/api/types';
import { useAnnounced, useTyping } from '@/session/presence';
import { useDelayed } from '@/ui/useDelayed';
import { useHotkeys } from '@/ui/useHotkeys';
import { ListNotice } from '@/ui/ListNotice';
import { TryAgain } from '@/ui/TryAgain';
import { rememberOrder } from '../recentOrders';
import { MOVE_KEY, movesOf, ownActionsOf } from '../actions/orderActions';
import { DetailHeader } from './DetailHeader';
import type { TimelineComponent } from './DetailParts';
import { DetailSkeleton } from './DetailSkeleton';
import { DetailViews } from './DetailViews';
import { Duplicates } from './Duplicates';
import classes from './layout.module.css';
import { orderDetailsQuery } from './orderDetailsQuery';
import { UnclearFields } from './corrections/UnclearFields';
import { useIsWide } from './useIsWide';
import { useWayBack } from './useWayBack';

const SKELETON_AFTER_MS = 150;

interface OrderDetailProps {
  orderId: number;
  Timeline: TimelineComponent;
}

/** The order: its head, and below it one of its views. */
export function OrderDetail({ orderId, Timeline }: OrderDetailProps) {
  const details = useQuery(orderDetailsQuery(orderId));
  const isSlow = useDelayed(details.isPending, SKELETON_AFTER_MS);
  const isWide = useIsWide();
  const [isMoving, setMoving] = useState(false);
  const { data: order, error } = details;
  const canMove = order !== undefined && hasActions(order);
  const move = () => setMoving(true);
  useHotkeys({ [MOVE_KEY]: () => canMove && move() });
  useAnnounced(orderId, order ? 'viewing' : null);
  useEffect(() => {
    if (order) rememberOrder(order);
  }, [order]);
  const onInput = useTyping(orderId);
  const retry = () => void details.refetch();
  if (error instanceof ApiError && error.code === 'order_not_found') return <NoSuchOrder />;
  return (
    <section
      className={classes.page}
      data-wide={isWide || undefined}
      aria-busy={details.isFetching}
      onInput={onInput}
    >
      <DetailHeader orderId={orderId} order={order} onMove={canMove ? move : undefined} />
      {order && error && (
        <p className={classes.outdated} role="alert">
          Couldn’t refresh this order. {error.message} <TryAgain small onClick={retry} />
        </p>
      )}
      {order && <UnclearFields order={order} />}
      {order && <Duplicates orderId={orderId} />}
      {order && (
        <DetailViews order={order} Timeline={Timeline} isMoving={isMoving} onMove={setMoving} />
      )}
      {!order && error && <ListNotice text={error.message} onRetry={retry} />}
      {isSlow && <DetailSkeleton />}
    </section>
  );
}

const hasActions = (order: OrderDetails) => movesOf(order).length + ownActionsOf(order).length > 0;

/** Shown in place of an order that does not exist. */
export function NoSuchOrder() {
  const navigate = useNavigate();
  const { label, path, state } = useWayBack();
  return (
    <section className={classes.page}>
      <ListNotice
        text="This order does not exist"
        isTitle
        reason="The link may be incomplete. Open the order from a list instead."
        action={{ label, onClick: () => void navigate(path, { state }) }}
      />
    </section>
  );
}
