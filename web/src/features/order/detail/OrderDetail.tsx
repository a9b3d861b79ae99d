import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { ApiError } from '@/api/ApiError';
import type { OrderDetails, UserInfo } from '@/api/types';
import { useDelayed } from '@/ui/useDelayed';
import { ListNotice } from '../ListNotice';
import { AddressFacts, PassportFacts, PersonFacts } from './ApplicantFacts';
import { CommentHistory } from './CommentHistory';
import { DetailHeader } from './DetailHeader';
import { DetailSkeleton } from './DetailSkeleton';
import { ApplicantFiles, MainDocument } from './Documents';
import { DownloadHistory } from './DownloadHistory';
import { EmailHistory } from './EmailHistory';
import { OrderActions } from './OrderActions';
import classes from './OrderDetail.module.css';
import { orderDetailsQuery, visaCatalogueQuery } from './orderDetailsQuery';
import { CheckoutFacts, OrderFacts } from './OrderFacts';
import { useWayBack } from './useWayBack';
import { VisaFacts } from './VisaFacts';

const SKELETON_AFTER_MS = 150;

interface OrderDetailProps {
  orderId: number;
  me: UserInfo;
}

/** One order whole: the applicant's data beside the work on it. */
export function OrderDetail({ orderId, me }: OrderDetailProps) {
  const details = useQuery(orderDetailsQuery(orderId));
  const isSlow = useDelayed(details.isPending, SKELETON_AFTER_MS);
  const { data: order, error } = details;
  const retry = () => void details.refetch();
  if (error instanceof ApiError && error.code === 404) return <NoSuchOrder />;
  return (
    <section className={classes.page} aria-busy={details.isFetching}>
      <DetailHeader orderId={orderId} order={order} zone={me.agency_time_zone} />
      {order && error && (
        <p className={classes.outdated} role="alert">
          The order could not be loaded anew. {error.message}{' '}
          <button type="button" className="button" data-small onClick={retry}>
            Try again
          </button>
        </p>
      )}
      {order && <Columns order={order} me={me} />}
      {!order && error && (
        <ListNotice text={error.message} action={{ label: 'Try again', onClick: retry }} />
      )}
      {isSlow && <DetailSkeleton />}
    </section>
  );
}

/** What stands in place of an order that is not there. */
export function NoSuchOrder() {
  const navigate = useNavigate();
  const { label, path } = useWayBack();
  return (
    <section className={classes.page}>
      <ListNotice
        text="There is no such order"
        reason="It may have been opened with an incomplete link."
        action={{ label, onClick: () => void navigate(path) }}
      />
    </section>
  );
}

function Columns({ order, me }: { order: OrderDetails; me: UserInfo }) {
  const catalogue = useQuery(visaCatalogueQuery);
  const zone = me.agency_time_zone;
  return (
    <div className={classes.columns}>
      <div className={`card ${classes.data}`}>
        <OrderFacts order={order} zone={zone} />
        <VisaFacts order={order} catalogue={catalogue.data} />
        <ApplicantFiles order={order} zone={zone} />
        <PersonFacts order={order} />
        <PassportFacts order={order} zone={zone} />
        <AddressFacts order={order} />
        <MainDocument
          order={order}
          zone={zone}
          catalogue={catalogue.data}
          failure={catalogue.error?.message}
          onRetry={() => void catalogue.refetch()}
        />
        <CheckoutFacts order={order} zone={zone} />
      </div>
      <div className={classes.work}>
        <OrderActions order={order} me={me} />
        <CommentHistory order={order} />
        <EmailHistory order={order} />
        <DownloadHistory order={order} />
      </div>
    </div>
  );
}
