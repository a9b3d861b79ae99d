import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import type { OrderDetails } from '@/api/types';
import { Card } from '@/ui/Card';
import { ListNotice } from '@/ui/ListNotice';
import { useMe } from '@/session/me';
import { amountText, FiledApplications } from './FiledApplications';
import classes from './filing.module.css';
import { FilingClaim } from './FilingClaim';
import { FilingKit } from './FilingKit';
import { filingQuery } from './filingQuery';
import { FilingValues } from './FilingValues';
import { FilingWarnings } from './FilingWarnings';
import { PortalAnswer } from './PortalAnswer';
import { PortalRefusal } from './PortalRefusal';
import { useCopied } from './useCopied';

/** All that filing an application with the government's portal needs, in the order of the work. */
export function FilingView({ order }: { order: OrderDetails }) {
  const orderId = order.order_id;
  const { data: filing, error, refetch } = useQuery(filingQuery(orderId));
  const { copied, keep } = useCopied(useMe().id, orderId);
  const side = useRef<HTMLDivElement>(null);
  // The control that was used is gone: the keyboard continues from here.
  const goOn = () => {
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) side.current?.focus({ preventScroll: true });
    });
  };
  if (!filing) {
    if (error) return <ListNotice text={error.message} onRetry={() => void refetch()} />;
    return <Card className={classes.loading} aria-busy />;
  }
  const open = filing.can_refuse ? filing.filings.filter(({ outcome }) => outcome === null) : [];
  open.sort((one, other) => Number(other.is_current) - Number(one.is_current));
  const current = open.find(({ is_current }) => is_current);
  return (
    <div className={classes.view}>
      {filing.can_file && <FilingClaim orderId={orderId} onTaken={goOn} />}
      <FilingWarnings filing={filing} />
      <FilingValues filing={filing} copied={copied} onCopied={keep} />
      <div ref={side} className={classes.side} tabIndex={-1}>
        <FilingKit orderId={orderId} filing={filing} />
        <PortalAnswer
          order={order}
          filing={filing}
          current={current}
          onFiled={() => {
            keep([]);
            goOn();
          }}
        />
        {/* Below a form that is being filled while a colleague files the order. */}
        {current && <PortalRefusal order={order} open={open} onRefused={goOn} />}
        <FiledApplications
          order={order}
          filings={filing.filings.filter((filed) => !open.includes(filed))}
        />
        {filing.filings.length > 1 && filing.fees.length > 0 && (
          <p className={classes.fees}>
            Fees paid for this order: <b>{filing.fees.map(amountText).join(', ')}</b>
          </p>
        )}
      </div>
    </div>
  );
}
