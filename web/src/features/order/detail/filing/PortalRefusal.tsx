import { useState } from 'react';
import type { AfterRefusal, FiledApplication, OrderDetails } from '@/api/types';
import { Button } from '@/ui/Button';
import { AskReason } from '../AskReason';
import { useOrderPost } from '../useOrderPost';
import { FiledAs } from './FiledApplications';
import classes from './filing.module.css';
import { FilingPart } from './FilingPart';

interface PortalRefusalProps {
  order: OrderDetails;
  /** The applications that are with the government: one, unless two members filed at the same time. */
  open: readonly FiledApplication[];
  onRefused: () => void;
}

/** The applications that are with the government, and the way to record that the portal refused one. */
export function PortalRefusal({ order, open, onRefused }: PortalRefusalProps) {
  const [refused, setRefused] = useState<FiledApplication | null>(null);
  const others = open.filter((filed) => filed !== refused).map((filed) => filed.application_number);
  return (
    <FilingPart id="portal-refusal" number={3} title="Filed">
      {open.map((filed) => (
        <div key={filed.application_number} className={classes.form}>
          <FiledAs order={order} filed={filed} isOneOfTwo={open.length > 1} />
          <p className={classes.refused}>
            <span className={classes.soft}>Refused by the portal?</span>
            <Button onClick={() => setRefused(filed)}>Record refusal</Button>
          </p>
        </div>
      ))}
      {refused && (
        <RefusalDialog
          orderId={order.order_id}
          number={refused.application_number}
          others={others}
          onClose={() => setRefused(null)}
          onRefused={onRefused}
        />
      )}
    </FilingPart>
  );
}

interface RefusalDialogProps {
  orderId: number;
  number: string;
  /** The numbers of the other open applications. */
  others: readonly string[];
  onClose: () => void;
  onRefused: () => void;
}

function RefusalDialog({ orderId, number, others, onClose, onRefused }: RefusalDialogProps) {
  const { post } = useOrderPost();
  const send = (next: AfterRefusal) => async (reason: string) => {
    // oxlint-disable-next-line no-thenable -- the server's name of the field; its value is a text
    const body = { orderId, applicationNumber: number, reason, then: next };
    const isSaved = await post('/api/admin/refuse-application', body);
    if (isSaved) onRefused();
    return isSaved;
  };
  const refile = others.length > 0 ? 'Keep in Awaiting Govt' : 'File again';
  return (
    <AskReason
      name="portal-refusal"
      about={`${orderId}.${number}`}
      title={`Application ${number} was refused`}
      label="Reason of the portal"
      answers={[
        { label: 'Refund', kind: 'danger', send: send('refund') },
        { label: refile, kind: 'primary', send: send('refile') },
      ]}
      onClose={onClose}
    >
      {others.length > 0
        ? `The order stays in Awaiting Govt while ${others.join(', ')} is open.`
        : 'To be filed again, the order moves to New, where its owner finds it in My Orders.'}{' '}
      For a refund it moves to Refunds; this moves no money.
    </AskReason>
  );
}
