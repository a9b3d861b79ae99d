import { useState } from 'react';
import type { OrderDetails, SentMail } from '@/api/types';
import { FormattedTime } from '@/ui/Time';
import { usDateAndTimeUtc } from '@/ui/times';
import { Chip } from '@/ui/Chip';
import { FileLink } from '../FileLink';
import classes from '../histories.module.css';
import { HistoryTable, type HistoryColumn } from '../HistoryTable';
import { resendMail } from './mailCalls';
import { MailForm } from './MailForm';
import { RevokeLinks } from './RevokeLinks';
import { stateOf } from './mailStates';
import { visaName } from './visaName';

const RESEND = [
  { provider: 'AWS', text: 'AWS', name: 'Resend via AWS' },
  { provider: 'Sendgrid', text: 'Sendgrid', name: 'Resend via Sendgrid' },
] as const;

interface EmailHistoryProps {
  order: OrderDetails;
  onViewContent: () => void;
}

/** The mails of the order with their states, and a form that resends the visa mail. */
export function EmailHistory({ order, onViewContent }: EmailHistoryProps) {
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const toggle = (id: number) => {
    const after = new Set(open);
    if (!after.delete(id)) after.add(id);
    setOpen(after);
  };
  return (
    <HistoryTable
      title="Email History"
      columns={columnsOf(order, open, toggle)}
      rows={order.mailHistory}
      rowKey={({ id }) => id}
      more={{ id: ({ id }) => rowId(id), isOpen: ({ id }) => open.has(id), cell: mailFacts }}
      action={
        <button type="button" className="button" data-small onClick={onViewContent}>
          View Email Content
        </button>
      }
    >
      {order.allowed.send_mail && (
        <>
          <MailForm
            order={order}
            label="Resend mail"
            by="Resend via"
            buttons={RESEND}
            send={resendMail}
          />
          <RevokeLinks order={order} />
        </>
      )}
    </HistoryTable>
  );
}

function columnsOf(
  order: OrderDetails,
  open: ReadonlySet<number>,
  toggle: (id: number) => void,
): HistoryColumn<SentMail>[] {
  return [
    { title: '#', width: 5, cell: (_, index) => index + 1 },
    { title: 'Order Id', width: 13, cell: (mail) => mail.order_id },
    {
      title: 'Download Link',
      width: 18,
      cell: ({ uploadDoc: { file1, link } }) =>
        file1 && link ? (
          <FileLink orderId={order.order_id} file1={file1} link={link}>
            <bdi>{visaName(order, file1)}</bdi>
          </FileLink>
        ) : (
          <span className={classes.none}>-</span>
        ),
    },
    {
      title: 'Date and Time',
      width: 19,
      cell: ({ create_ts }) => (
        <FormattedTime iso={create_ts} text={usDateAndTimeUtc(create_ts)} zone="UTC" />
      ),
    },
    {
      title: 'Mail Provider',
      width: 15,
      cell: (mail) => mail.uploadDoc.mail_service_provider,
    },
    {
      title: 'State',
      width: 30,
      cell: (mail, index) => (
        <MailState
          mail={mail}
          number={index + 1}
          isElsewhere={mail.email !== order.contact_email_address}
          isOpen={open.has(mail.id)}
          onToggle={() => toggle(mail.id)}
        />
      ),
    },
  ];
}

const rowId = (id: number) => `mail-${id}`;

interface MailStateProps {
  mail: SentMail;
  number: number;
  /** Whether it went to an address other than the order's. */
  isElsewhere: boolean;
  isOpen: boolean;
  onToggle: () => void;
}

function MailState({ mail, number, isElsewhere, isOpen, onToggle }: MailStateProps) {
  const { word, tone, note } = stateOf(mail);
  return (
    <div>
      <div className={classes.state}>
        <Chip tone={tone}>{word}</Chip>
        <button
          type="button"
          className={classes.more}
          aria-label={`${isOpen ? 'Less' : 'More'} about mail ${number}`}
          aria-expanded={isOpen}
          aria-controls={rowId(mail.id)}
          onClick={onToggle}
        >
          {isOpen ? 'Less' : 'More'}
        </button>
      </div>
      {note && <div className={classes.reason}>{note}</div>}
      {isElsewhere && (
        <div className={classes.reason}>
          to <bdi>{mail.email}</bdi>
        </div>
      )}
    </div>
  );
}

/** The facts of a mail and its delivery attempts. */
function mailFacts(mail: SentMail) {
  return (
    <div className={classes.remark}>
      <dl className={classes.facts}>
        <MailFact name="Mail" text={mail.kind} />
        <MailFact name="Subject" text={mail.subject} />
        <MailFact name="To" text={mail.email} />
        <MailFact name="Sent by" text={mail.sent_by} />
      </dl>
      {mail.attempts.length > 0 && (
        <ol className={classes.attempts} aria-label="Attempts">
          {mail.attempts.map(({ at, outcome, answer }) => (
            <li key={at}>
              <FormattedTime iso={at} text={usDateAndTimeUtc(at)} zone="UTC" />{' '}
              {outcome ?? 'not finished'}
              {answer && <div className={classes.answer}>{answer}</div>}
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

function MailFact({ name, text }: { name: string; text: string | null | undefined }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd dir="auto">{text || '-'}</dd>
    </div>
  );
}
