import { useSpoken } from '@/i18n/texts';
import { Filled } from '@/i18n/Filled';
import { DownloadNow } from './DownloadNow';
import { DownloadedHistory } from './DownloadedHistory';
import { LeftToRight } from './LeftToRight';
import { Needs } from './Needs';
import { Timeline } from './Timeline';
import { explained } from './explained';
import { useVisitorOrder } from './useVisitorOrder';
import './OrderDetails.css';

interface OrderDetailsProps {
  /** Null while the page does not know it yet. */
  orderId: number | null;
  /** Called when the visitor has to prove again whose order it is. */
  onStranger: () => void;
}

/** Where the order stands, its visa, and what was downloaded. */
export function OrderDetails({ orderId, onStranger }: OrderDetailsProps) {
  const spoken = useSpoken();
  const { texts } = spoken;
  const { found, failure, reload } = useVisitorOrder(orderId, onStranger);

  const order = found?.mainResult;
  const state = failure ? 'bad' : 'good';
  const news = failure ? explained(failure, 'look', spoken) : texts.found;
  return (
    <div className="details">
      <div className="state">
        <p className="banner" role="status" data-kind={order || failure ? state : undefined}>
          {order || failure ? news : texts.loading}
        </p>
        <h1 tabIndex={-1}>{order ? texts.stages[order.stage].sentence : texts.detailsTitle}</h1>
        {order && (
          <p className="whose">
            <Filled
              text={texts.order}
              values={{ id: <LeftToRight>{order.order_number}</LeftToRight> }}
            />
            <span aria-hidden="true"> · </span>
            <bdi translate="no">{order.full_name}</bdi>
          </p>
        )}
        {!order && !failure && <div className="skeleton" aria-hidden="true" />}
        {failure !== null && (
          <button type="button" className="primary" onClick={reload}>
            {texts.tryAgain}
          </button>
        )}
        {order && <Needs needs={order.needs} />}
        {order && found.path && (
          <DownloadNow
            orderId={order.order_id}
            file1={found.path.file1}
            onRecorded={reload}
            onStranger={onStranger}
          />
        )}
        {order && !found.path && order.stage !== 'closed' && (
          <p className="card note">{texts.notIssued}</p>
        )}
      </div>
      {order && <Timeline steps={order.timeline} />}
      {order && <DownloadedHistory downloads={found.data} />}
    </div>
  );
}
