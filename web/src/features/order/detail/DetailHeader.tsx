import { useLocation, useNavigate } from 'react-router';
import type { OrderDetails } from '@/api/types';
import { paths } from '@/paths/staffPaths';
import { Button, ButtonLink } from '@/ui/Button';
import { CopyButton } from '@/ui/CopyButton';
import { Time } from '@/ui/Time';
import { useHotkeys } from '@/ui/useHotkeys';
import { useOrderTrail } from '../orderTrail';
import { Chip } from '@/ui/Chip';
import { StatusChip } from '../StatusChip';
import classes from './DetailHeader.module.css';
import { useWayBack } from './useWayBack';

interface DetailHeaderProps {
  orderId: number;
  /** Undefined while the order is loading. */
  order: OrderDetails | undefined;
  zone: string;
}

/** The order's id, status and dates, and the links to its neighbours in the list. */
export function DetailHeader({ orderId, order, zone }: DetailHeaderProps) {
  return (
    <header className={classes.head}>
      <div className={classes.title}>
        <h1 title={order?.order_number}>Order {orderId}</h1>
        <CopyButton text={String(orderId)} what="Order id" />
        {order && <StatusChip status={order.process_status} />}
        {order?.processing_mode === 'Priority Processing' && <Chip tone="danger">Priority</Chip>}
        {order && (
          <span className={classes.soft}>
            {order.assign_to ? (
              <>
                Assigned to <bdi>{order.assign_to}</bdi>
              </>
            ) : (
              'Unassigned'
            )}
          </span>
        )}
      </div>
      <Trail orderId={orderId} />
      <p className={classes.dates}>
        {order && (
          <>
            <span>
              Received <Time iso={order.created_at} zone={zone} />
            </span>
            <span>
              Changed <Time iso={order.updated_at} zone={zone} />
            </span>
            {order.refund_date && (
              <span>
                Refunded <Time iso={order.refund_date} zone={zone} />
                <RefundApprovedBy order={order} />
              </span>
            )}
            <RefundTakenBack order={order} zone={zone} />
            {order.processed_by && (
              <span>
                Last completed by <bdi>{order.processed_by}</bdi>
              </span>
            )}
          </>
        )}
      </p>
    </header>
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
function RefundTakenBack({ order, zone }: { order: OrderDetails; zone: string }) {
  const [newest] = order.refund_marks;
  if (!newest?.taken_back_at) return null;
  return (
    <span title={newest.reason ?? undefined}>
      Refund taken back <Time iso={newest.taken_back_at} zone={zone} />
      {newest.taken_back_by && (
        <>
          {' '}
          by <bdi>{newest.taken_back_by}</bdi>
        </>
      )}
    </span>
  );
}

/** The way back, and to the orders before and after this one in the list it was opened from. */
function Trail({ orderId }: { orderId: number }) {
  const navigate = useNavigate();
  const location = useLocation();
  const { orderIds, listPath } = useOrderTrail();
  const back = useWayBack();
  const index = back.path === listPath ? orderIds.indexOf(orderId) : -1;
  const previous = index > 0 ? orderIds[index - 1] : undefined;
  const next = index < 0 ? undefined : orderIds[index + 1];
  const open = (id: number | undefined) =>
    id !== undefined && void navigate(paths.viewOrder(id), { state: location.state });
  useHotkeys({ '[': () => open(previous), ']': () => open(next) });

  return (
    <nav className={classes.trail} aria-label="List">
      {index >= 0 && (
        <>
          <Neighbour id={previous} name="Previous" sign="‹" />
          <span className={classes.soft}>
            {index + 1} of {orderIds.length}
          </span>
          <Neighbour id={next} name="Next" sign="›" />
        </>
      )}
      <ButtonLink to={back.path} state={back.state}>
        {back.label}
      </ButtonLink>
    </nav>
  );
}

interface NeighbourProps {
  id: number | undefined;
  name: string;
  sign: string;
}

function Neighbour({ id, name, sign }: NeighbourProps) {
  const { state } = useLocation();
  if (id === undefined) {
    return (
      <Button disabled aria-hidden="true">
        {sign}
      </Button>
    );
  }
  return (
    <ButtonLink to={paths.viewOrder(id)} state={state} aria-label={`${name} order, ${id}`}>
      {sign}
    </ButtonLink>
  );
}
