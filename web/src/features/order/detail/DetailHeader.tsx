import { useState } from 'react';
import type { OrderDetails } from '@/api/types';
import { Button, ButtonLink } from '@/ui/Button';
import { CopyButton } from '@/ui/CopyButton';
import { Time } from '@/ui/Time';
import { useHotkeys } from '@/ui/useHotkeys';
import { Chip } from '@/ui/Chip';
import { useMe } from '@/session/me';
import { TakeNext } from '../actions/TakeNext';
import { StatusChip } from '../StatusChip';
import classes from './DetailHeader.module.css';
import { ColleaguesHere } from './ColleaguesHere';
import { personName } from './personName';
import { ViewSwitch } from './ViewSwitch';
import { useTrail, type Neighbour } from './useTrail';
import { useWayBack } from './useWayBack';

interface DetailHeaderProps {
  orderId: number;
  /** Undefined while the order is loading. */
  order: OrderDetails | undefined;
  /** Opens all actions; undefined when there is none. */
  onMove: (() => void) | undefined;
}

/** The order's id, status and person, which stay in view; its views, its dates, and the links to its neighbours in the list. */
export function DetailHeader({ orderId, order, onMove }: DetailHeaderProps) {
  return (
    <header className={classes.head}>
      <div className={classes.bar}>
        <div className={classes.title}>
          <h1 title={order?.order_number}>Order {orderId}</h1>
          <CopyButton text={String(orderId)} what="Order id" />
          {order && <StatusChip status={order.process_status} />}
          {order?.processing_mode === 'Priority Processing' && <Chip tone="danger">Priority</Chip>}
        </div>
        <p className={classes.person}>{order && <Person order={order} />}</p>
        <ColleaguesHere orderId={orderId} />
        {onMove && (
          <div className={classes.move}>
            <Button kind="primary" aria-haspopup="dialog" onClick={onMove}>
              Move to
            </Button>
          </div>
        )}
      </div>
      <div className={classes.about}>
        <ViewSwitch />
        <p className={classes.dates}>{order && <Dates order={order} />}</p>
        <Trail orderId={orderId} order={order} />
      </div>
    </header>
  );
}

/** The traveller and the type of the visa. */
function Person({ order }: { order: OrderDetails }) {
  const name = personName(order.full_name);
  return (
    <>
      <bdi title={name}>{name}</bdi>
      {order.visa_type && <span> · {order.visa_type}</span>}
    </>
  );
}

function Dates({ order }: { order: OrderDetails }) {
  return (
    <>
      {order.assign_to ? (
        <span>
          Assigned to <bdi>{order.assign_to}</bdi>
        </span>
      ) : (
        <span>Unassigned</span>
      )}
      <span>
        Received <Time iso={order.created_at} />
      </span>
      <span>
        Changed <Time iso={order.updated_at} />
      </span>
      {order.refund_date && (
        <span>
          Refunded <Time iso={order.refund_date} />
          <RefundApprovedBy order={order} />
        </span>
      )}
      <RefundTakenBack order={order} />
      {order.processed_by && (
        <span>
          Last completed by <bdi>{order.processed_by}</bdi>
        </span>
      )}
    </>
  );
}

/** The second person who approved the refund in force. */
function RefundApprovedBy({ order }: { order: OrderDetails }) {
  const [newest] = order.refund_marks;
  if (!newest?.approved_by) return null;
  return (
    <>
      , approved by <bdi>{newest.approved_by}</bdi>
    </>
  );
}

/** That the newest mark of a refund was taken back. */
function RefundTakenBack({ order }: { order: OrderDetails }) {
  const [newest] = order.refund_marks;
  if (!newest?.taken_back_at) return null;
  return (
    <span title={newest.reason ?? undefined}>
      Refund taken back <Time iso={newest.taken_back_at} />
      {newest.taken_back_by && (
        <>
          {' '}
          by <bdi>{newest.taken_back_by}</bdi>
        </>
      )}
    </span>
  );
}

/** The way back, and to the orders before and after this one: in the list it was opened from, and the next one to take. */
function Trail({ orderId, order }: Pick<DetailHeaderProps, 'orderId' | 'order'>) {
  const { name: userName } = useMe();
  const { place, total, previous, next, open } = useTrail(orderId, userName, order !== undefined);
  const isDone = useIsDone(order, userName);
  const back = useWayBack();
  useHotkeys({ '[': () => open(previous), ']': () => open(next) });

  return (
    <nav className={classes.trail} aria-label="List">
      {place !== null && (
        <>
          <NeighbourLink neighbour={previous} name="Previous" sign="‹" />
          <span>
            {place} of {total}
          </span>
          <NeighbourLink neighbour={next} name="Next" sign="›" />
        </>
      )}
      <span className={classes.take} data-done={isDone || undefined}>
        <TakeNext kind={isDone ? 'primary' : undefined} />
      </span>
      <ButtonLink to={back.path} state={back.state}>
        {back.label}
      </ButtonLink>
    </nav>
  );
}

/** Returns true once an order that the member began here as their own has left their hands, or New, or came to another status. */
function useIsDone(order: OrderDetails | undefined, userName: string): boolean {
  const isOwn = order?.assign_to === userName;
  const [begun, setBegun] = useState<OrderDetails | null>(null);
  if (isOwn && begun?.order_id !== order.order_id) setBegun(order);
  if (!order || begun?.order_id !== order.order_id) return false;
  const { process_status: status } = order;
  return !isOwn || (status !== begun.process_status && status !== 'New');
}

interface NeighbourLinkProps {
  neighbour: Neighbour | undefined;
  name: string;
  sign: string;
}

function NeighbourLink({ neighbour, name, sign }: NeighbourLinkProps) {
  if (!neighbour) {
    return (
      <Button disabled aria-hidden="true">
        {sign}
      </Button>
    );
  }
  const { id, path, state, enter, prefetch } = neighbour;
  return (
    <ButtonLink
      to={path}
      state={state}
      aria-label={`${name} order, ${id}`}
      onClick={enter}
      onPointerEnter={prefetch}
      onFocus={prefetch}
    >
      {sign}
    </ButtonLink>
  );
}
