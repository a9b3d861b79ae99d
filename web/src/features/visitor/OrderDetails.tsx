import { Suspense, useEffect, useState } from 'react';
import { useTexts } from '@/i18n/texts';
import { Interpolate } from '@/i18n/Interpolate';
import { DownloadNow } from './DownloadNow';
import { LeftToRight } from './LeftToRight';
import { failureText } from './failureText';
import { lazyPart } from './lazyPart';
import { useVisitorOrder } from './useVisitorOrder';
import './OrderDetails.css';

/** The track page needs no record of an order, and few visitors are asked for papers. */
const loadRecord = async () => (await import('./OrderRecord')).OrderRecord;
const OrderRecord = lazyPart('record', loadRecord);
const Needs = lazyPart('needs', async () => (await import('./Needs')).Needs);
const AskedPapers = lazyPart(
  'papers',
  async () => (await import('./papers/AskedPapers')).AskedPapers,
);

interface OrderDetailsProps {
  /** Null while the page does not know it yet. */
  orderId: number | null;
  /** Called when the visitor has to confirm the email again. */
  onAccessLost: () => void;
}

/** The order's stage, its visa and its downloads. */
export function OrderDetails({ orderId, onAccessLost }: OrderDetailsProps) {
  const locale = useTexts();
  const { texts } = locale;
  const { found, failure, reload } = useVisitorOrder(orderId, onAccessLost);

  // Beside the call. If it fails now, the part itself tries again.
  useEffect(() => {
    loadRecord().catch(() => {});
  }, []);

  const order = found?.mainResult;
  // The part stays when nothing is asked for any more, and says why.
  const [askedOf, setAskedOf] = useState<number | null>(null);
  if (order?.asked && askedOf !== order.order_id) setAskedOf(order.order_id);
  const wasAsked = order !== undefined && askedOf === order.order_id;
  const missing = order?.missing ?? [];
  // A paper with a card of its own needs no line.
  const hasCard = (label: string | null | undefined) =>
    missing.some((paper) => paper.label === label);
  const needs = (order?.needs ?? []).filter(({ label }) => !hasCard(label));
  const state = failure ? 'bad' : 'good';
  const news = failure ? failureText(failure, locale) : texts.found;
  return (
    <Suspense>
      <div className="details">
        <div className="state">
          <p className="banner" role="status" data-kind={order || failure ? state : undefined}>
            {order || failure ? news : texts.loading}
          </p>
          <h1 tabIndex={-1}>{order ? texts.stages[order.stage].sentence : texts.detailsTitle}</h1>
          {order && (
            <p className="whose">
              <Interpolate
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
          {order && (wasAsked || missing.length > 0) && (
            <AskedPapers
              orderId={order.order_id}
              asked={order.asked ?? null}
              wasAsked={wasAsked}
              isComplete={order.papers_complete}
              missing={missing}
              onChanged={reload}
              onAccessLost={onAccessLost}
            />
          )}
          {order && !order.asked && needs.length > 0 && <Needs needs={needs} />}
          {order && found.path && (
            <DownloadNow
              orderId={order.order_id}
              file1={found.path.file1}
              onRecorded={reload}
              onAccessLost={onAccessLost}
            />
          )}
          {order && !found.path && order.stage !== 'closed' && (
            <p className="card note">{texts.notIssued}</p>
          )}
        </div>
        {order && <OrderRecord steps={order.timeline} downloads={found.data} />}
      </div>
    </Suspense>
  );
}
