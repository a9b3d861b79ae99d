import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useRef, useState, type ComponentType } from 'react';
import { useNavigate } from 'react-router';
import { ApiError } from '@/api/ApiError';
import type { OrderDetails, UserInfo } from '@/api/types';
import { Card } from '@/ui/Card';
import { useDelayed } from '@/ui/useDelayed';
import { ListNotice } from '@/ui/ListNotice';
import { loadChunk } from '@/ui/loadChunk';
import { TryAgain } from '@/ui/TryAgain';
import { AddressFacts, PassportFacts, PersonFacts } from './ApplicantFacts';
import { DetailHeader } from './DetailHeader';
import { DetailSkeleton } from './DetailSkeleton';
import { ApplicantFiles, MainDocument } from './documents/Documents';
import { DocumentViewer } from './documents/DocumentViewer';
import { UploadDocument } from './documents/UploadDocument';
import { Duplicates } from './Duplicates';
import { DownloadHistory } from './mails/DownloadHistory';
import { EmailContent } from './mails/EmailContent';
import { EmailHistory } from './mails/EmailHistory';
import { FailedTries } from './mails/FailedTries';
import { OrderActions } from './OrderActions';
import classes from './layout.module.css';
import { orderDetailsQuery } from './orderDetailsQuery';
import { CheckoutFacts, OrderFacts } from './OrderFacts';
import { AddComment } from './remarks/AddComment';
import { CommentHistory } from './remarks/CommentHistory';
import { useRemarkForm } from './remarks/useRemarkForm';
import { useWayBack } from './useWayBack';
import { VisaFacts } from './VisaFacts';

const SKELETON_AFTER_MS = 150;

const loadDisputes = () => import('./chargebacks/Disputes');
const Disputes = lazy(async () => ({
  default: (await loadChunk('disputes', loadDisputes)).Disputes,
}));

interface OrderDetailProps {
  orderId: number;
  me: UserInfo;
  /** Renders the audit events of the order. */
  Timeline: ComponentType<{ order: OrderDetails; me: UserInfo }>;
}

/** The order: the applicant's data beside the work on it. */
export function OrderDetail({ orderId, me, Timeline }: OrderDetailProps) {
  const details = useQuery(orderDetailsQuery(orderId));
  const isSlow = useDelayed(details.isPending, SKELETON_AFTER_MS);
  const { data: order, error } = details;
  const retry = () => void details.refetch();
  if (error instanceof ApiError && error.code === 'order_not_found') return <NoSuchOrder />;
  return (
    <section className={classes.page} aria-busy={details.isFetching}>
      <DetailHeader orderId={orderId} order={order} zone={me.agency_time_zone} userName={me.name} />
      {order && error && (
        <p className={classes.outdated} role="alert">
          Couldn’t refresh this order. {error.message} <TryAgain small onClick={retry} />
        </p>
      )}
      {order && <Duplicates orderId={orderId} zone={me.agency_time_zone} />}
      {order && <Columns order={order} me={me} Timeline={Timeline} />}
      {!order && error && <ListNotice text={error.message} onRetry={retry} />}
      {isSlow && <DetailSkeleton />}
    </section>
  );
}

/** Shown in place of an order that does not exist. */
export function NoSuchOrder() {
  const navigate = useNavigate();
  const { label, path, state } = useWayBack();
  return (
    <section className={classes.page}>
      <ListNotice
        text="This order does not exist"
        reason="The link may be incomplete. Open the order from a list instead."
        action={{ label, onClick: () => void navigate(path, { state }) }}
      />
    </section>
  );
}

interface ColumnsProps extends Omit<OrderDetailProps, 'orderId'> {
  order: OrderDetails;
}

function Columns({ order, me, Timeline }: ColumnsProps) {
  const remarkForm = useRemarkForm(me.id, order.order_id);
  const viewer = useRef<HTMLElement>(null);
  const [shown, setShown] = useState<string | null>(null);
  const [isContentOpen, setContentOpen] = useState(false);
  const zone = me.agency_time_zone;

  const show = (file1: string) => {
    setShown(file1);
    viewer.current?.scrollIntoView({ block: 'nearest' });
  };
  const logContact = () => {
    setContentOpen(false);
    remarkForm.setValue('whatsapp', true);
    if (remarkForm.getValues('remark').trim() === '') {
      remarkForm.setValue('remark', 'Wrote to the customer by WhatsApp.');
    }
    // The dialog gives the focus back first.
    requestAnimationFrame(() => remarkForm.setFocus('remark'));
  };
  const isDisputed = order.process_status === 'ChargeBack';
  const disputes = (order.chargeback || order.allowed.make_packs) && (
    <Suspense fallback={<Card className={classes.disputes} />}>
      <Disputes order={order} me={me} />
    </Suspense>
  );
  return (
    <div className={classes.columns}>
      <div className={classes.papers}>
        <DocumentViewer order={order} shown={shown} onShow={setShown} card={viewer} />
        <Card className={classes.data}>
          <OrderFacts order={order} zone={zone} />
          <VisaFacts order={order} />
          <ApplicantFiles order={order} zone={zone} onShow={show} />
          <PersonFacts order={order} />
          <PassportFacts order={order} />
          <AddressFacts order={order} />
          <MainDocument order={order} zone={zone} onShow={show} />
          <CheckoutFacts order={order} zone={zone} />
        </Card>
      </div>
      <div className={classes.work}>
        <OrderActions order={order} me={me} />
        {isDisputed && disputes}
        {order.allowed.remark && <AddComment orderId={order.order_id} me={me} form={remarkForm} />}
        <CommentHistory order={order} />
        <UploadDocument order={order} zone={zone} onShow={show} />
        <EmailHistory order={order} zone={zone} onViewContent={() => setContentOpen(true)} />
        <DownloadHistory order={order} />
        <FailedTries order={order} zone={zone} />
        <Timeline order={order} me={me} />
        {/* Last, because it grows when its evidence arrives. */}
        {!isDisputed && disputes}
      </div>
      {isContentOpen && (
        <EmailContent
          orderId={order.order_id}
          onClose={() => setContentOpen(false)}
          onLogContact={logContact}
        />
      )}
    </div>
  );
}
