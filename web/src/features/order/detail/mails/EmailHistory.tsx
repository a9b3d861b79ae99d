import type { OrderDetails, SentMail } from '@/api/types';
import { Button } from '@/ui/Button';
import { FormattedTime, Time } from '@/ui/Time';
import { usDateAndTimeUtc } from '@/ui/times';
import { Chip } from '@/ui/Chip';
import { sendRefundMails } from '../../actions/orderCalls';
import { FileLink } from '../FileLink';
import { useOrderPost } from '../useOrderPost';
import { HistoryDetails, HistoryFact, HistoryFacts, HistoryNote } from '../HistoryParts';
import { HistoryTable, type HistoryColumn, type RowDetails } from '../HistoryTable';
import { linkOf } from '../fileLinks';
import { useHistory } from '../useHistory';
import classes from './EmailHistory.module.css';
import { stateOf } from './mailStates';
import { visaName } from './visaName';

/** The mails of the order with their states. */
export function EmailHistory({ order }: { order: OrderDetails }) {
  const history = useHistory(order, 'mails');
  return (
    <HistoryTable
      title="Email History"
      columns={columnsOf(order)}
      history={history}
      rowKey={({ id }) => id}
      gist={newestState}
      more={{ startOpen: false, cell: mailFacts }}
    />
  );
}

function columnsOf(order: OrderDetails): HistoryColumn<SentMail>[] {
  return [
    { title: '#', width: 5, cell: (_, index) => index + 1 },
    { title: 'Order Id', width: 13, onPaper: true, cell: (mail) => mail.order_id },
    {
      title: 'Download Link',
      width: 18,
      cell: ({ uploadDoc: { file1, link } }) =>
        file1 && link ? (
          <FileLink orderId={order.order_id} file1={file1} link={linkOf(order, file1) ?? link}>
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
      cell: (mail, index, details) => (
        <MailState
          mail={mail}
          number={index + 1}
          isRefunded={Boolean(order.refund_date)}
          isElsewhere={mail.email !== order.contact_email_address}
          details={details}
        />
      ),
    },
  ];
}

function newestState(mail: SentMail) {
  const { word, tone } = stateOf(mail);
  return <Chip tone={tone}>{word}</Chip>;
}

interface MailStateProps {
  mail: SentMail;
  number: number;
  /** The order is marked as refunded. */
  isRefunded: boolean;
  /** The email went to an address other than the order's. */
  isElsewhere: boolean;
  details: RowDetails;
}

function MailState({ mail, number, isRefunded, isElsewhere, details }: MailStateProps) {
  const { isOpen, button } = details;
  const { word, tone, note } = stateOf(mail);
  return (
    <div>
      <div className={classes.state}>
        <Chip tone={tone}>{word}</Chip>
        <Button
          kind="text"
          small
          aria-label={`${isOpen ? 'Less' : 'More'} about email ${number}`}
          {...button}
        >
          {isOpen ? 'Less' : 'More'}
        </Button>
      </div>
      {note && <HistoryNote>{note}</HistoryNote>}
      {mail.state === 'stopped' && mail.kind === 'refund' && isRefunded && (
        <SendAfterAll orderId={mail.order_id} />
      )}
      {mail.state === 'queued' && mail.attempts.length === 0 && <Waits mail={mail} />}
      {isElsewhere && (
        <HistoryNote>
          to <bdi>{mail.email}</bdi>
        </HistoryNote>
      )}
    </div>
  );
}

/** Sends the stopped mail about the refund of an order. */
function SendAfterAll({ orderId }: { orderId: number }) {
  const { submit } = useOrderPost();
  return (
    <Button small onClick={() => void submit(orderId, () => sendRefundMails([orderId]))}>
      Send anyway
    </Button>
  );
}

/** When a mail that waits is sent. */
function Waits({ mail }: { mail: SentMail }) {
  if (!mail.due_at || Date.parse(mail.due_at) - Date.parse(mail.create_ts) < 1000) return null;
  return (
    <HistoryNote>
      Waits until <Time iso={mail.due_at} />
    </HistoryNote>
  );
}

function mailFacts(mail: SentMail) {
  return (
    <HistoryDetails>
      <HistoryFacts stacked>
        <HistoryFact name="Email">{mail.kind || '-'}</HistoryFact>
        <HistoryFact name="Subject">{mail.subject || '-'}</HistoryFact>
        <HistoryFact name="To">{mail.email || '-'}</HistoryFact>
        <HistoryFact name="Sent by">{mail.sent_by || '-'}</HistoryFact>
      </HistoryFacts>
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
    </HistoryDetails>
  );
}
