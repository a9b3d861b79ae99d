import { useState } from 'react';
import type { OrderDetails } from '@/api/types';
import { useAnnounced } from '@/session/presence';
import { useChange } from '@/session/useChange';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { dateAndTime } from '@/ui/times';
import { useZone } from '@/ui/zone';
import { useConfirm } from '@/ui/useConfirm';
import { useGoOnBeside } from '../../colleagues';
import { ORDER } from '../../orderQueries';
import { AskReason } from '../AskReason';
import { FileLink } from '../FileLink';
import classes from './IssuedVisas.module.css';
import {
  decideVisa,
  deliveryReason,
  isDelivered,
  lookAtVisa,
  REASON_HINT,
  type VisaCheck,
} from './visaUpload';

interface IssuedVisasProps {
  order: OrderDetails;
  onShow: (file1: string) => void;
}

/** The visas that were uploaded, the newest first, each with what differs from the order. */
export function IssuedVisas({ order, onShow }: IssuedVisasProps) {
  const zone = useZone();
  if (order.uploadDoc.length === 0) return null;
  const current = order.uploadDoc.find(isDelivered)?.file1;
  return (
    <ul className={classes.visas} aria-label="Issued visas">
      {order.uploadDoc.map(({ file1, link, customer_name, create_ts, check, is_withdrawn }) => (
        <li key={file1}>
          <FileLink
            orderId={order.order_id}
            file1={file1}
            link={link}
            onPlainClick={() => onShow(file1)}
          >
            <bdi>{customer_name}</bdi>
          </FileLink>{' '}
          · <time dateTime={create_ts}>{dateAndTime(create_ts, zone)}</time>
          {is_withdrawn && (
            <>
              {' '}
              · <Chip tone="neutral">Withdrawn before its email was sent</Chip>
            </>
          )}
          {check?.is_waiting && (
            <>
              {' '}
              · <Chip tone="info">Not delivered yet</Chip>
            </>
          )}
          {!is_withdrawn && !check?.is_waiting && file1 !== current && ' · earlier'}
          <Found orderId={order.order_id} check={check} />
        </li>
      ))}
    </ul>
  );
}

/** The outcome of the comparison with the order. A right visa gets no text. */
function Found({ orderId, check }: { orderId: number; check: VisaCheck }) {
  const { send, busy } = useChange({
    run: (documentId: number) => lookAtVisa(orderId, documentId),
    stale: ORDER,
    waits: true,
  });
  if (!check?.said) return null;
  const { said, reason, is_open, is_waiting, document_id } = check;
  const sentence = `${said.charAt(0).toUpperCase()}${said.slice(1)}.`;
  return (
    <div className={classes.found}>
      {is_open && <Chip tone="danger">Check</Chip>}
      <span className={classes.said}>
        {sentence}
        {reason && (
          <>
            {' '}
            Reason: <bdi>{reason}</bdi>
          </>
        )}
      </span>
      {is_waiting && <Decision orderId={orderId} documentId={document_id} said={sentence} />}
      {is_open && !is_waiting && (
        <Button small busy={busy} onClick={() => void send(document_id)}>
          Confirm this visa
        </Button>
      )}
    </div>
  );
}

/** Delivers or withdraws a visa that waits. */
function Decision(props: { orderId: number; documentId: number; said: string }) {
  const { orderId, documentId, said } = props;
  const [isAsking, setAsking] = useState(false);
  const { send, busy } = useChange({
    run: (reason: string | null) => decideVisa(orderId, documentId, reason),
    stale: ORDER,
    waits: true,
  });
  const [ask, question] = useConfirm();
  const goesOnBeside = useGoOnBeside(ask);
  useAnnounced(orderId, isAsking || busy ? 'delivering' : null);
  const start = async () => setAsking(await goesOnBeside([orderId], 'delivering'));
  const decide = async (reason: string | null) => {
    setAsking(false);
    return (await send(reason)) !== undefined;
  };
  return (
    <div className={classes.decision}>
      <Button small busy={busy} onClick={() => void start()}>
        Deliver
      </Button>
      <Button small busy={busy} onClick={() => void decide(null)}>
        Withdraw
      </Button>
      {question}
      {isAsking && (
        <AskReason
          name="visa-reason"
          about={`${orderId}.${documentId}`}
          title="Deliver this visa"
          isAlert
          hint={REASON_HINT}
          schema={deliveryReason}
          instead={{ label: 'Withdraw this visa', onClick: () => void decide(null) }}
          answers={[{ label: 'Send anyway', kind: 'danger', send: decide }]}
          onClose={() => setAsking(false)}
        >
          {said}
        </AskReason>
      )}
    </div>
  );
}
