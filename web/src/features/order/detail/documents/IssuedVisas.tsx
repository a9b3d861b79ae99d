import type { OrderDetails } from '@/api/types';
import { useChange } from '@/session/useChange';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { dateAndTime } from '@/ui/times';
import { ORDER } from '../../orderQueries';
import { FileLink } from '../FileLink';
import classes from './IssuedVisas.module.css';
import { lookAtVisa, type VisaCheck } from './visaUpload';

interface IssuedVisasProps {
  order: OrderDetails;
  /** The agency's time zone. */
  zone: string;
  onShow: (file1: string) => void;
}

/** The visas that were uploaded, the newest first, each with what differs from the order. */
export function IssuedVisas({ order, zone, onShow }: IssuedVisasProps) {
  if (order.uploadDoc.length === 0) return null;
  const current = order.uploadDoc.find(({ is_withdrawn }) => !is_withdrawn)?.file1;
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
              · <Chip tone="neutral">Withdrawn before its mail was sent</Chip>
            </>
          )}
          {!is_withdrawn && file1 !== current && ' · earlier'}
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
  const { said, reason, is_open, document_id } = check;
  return (
    <div className={classes.found}>
      {is_open && <Chip tone="danger">Look</Chip>}
      <span className={classes.said}>
        {said.charAt(0).toUpperCase() + said.slice(1)}.
        {reason && (
          <>
            {' '}
            Reason: <bdi>{reason}</bdi>
          </>
        )}
      </span>
      {is_open && (
        <Button small busy={busy} onClick={() => void send(document_id)}>
          It is the right one
        </Button>
      )}
    </div>
  );
}
