import type { OrderDetails } from '@/api/types';
import { WrittenTime } from '@/ui/Time';
import { usDateAndTimeUtc } from '@/ui/times';
import { Chip } from '../../StatusChip';
import type { Tone } from '../../statuses';
import { FileLink } from '../FileLink';
import classes from '../histories.module.css';
import { HistoryTable, type HistoryColumn } from '../HistoryTable';
import { visaName } from './visaName';

type SentMail = OrderDetails['mailHistory'][number];

const TONES: Record<string, Tone> = { queued: 'info', sent: 'done', failed: 'danger' };

/** The mails about the order, with what became of them. */
export function EmailHistory({ order }: { order: OrderDetails }) {
  return (
    <HistoryTable
      title="Email History"
      columns={columnsOf(order)}
      rows={order.mailHistory}
      rowKey={(mail, index) => `${mail.create_ts} ${index}`}
    />
  );
}

function columnsOf(order: OrderDetails): HistoryColumn<SentMail>[] {
  return [
    { title: '#', width: 6, cell: (_, index) => index + 1 },
    { title: 'Order Id', width: 14, cell: (mail) => mail.order_id },
    {
      title: 'Download Link',
      width: 19,
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
      width: 21,
      cell: ({ create_ts }) => (
        <WrittenTime iso={create_ts} text={usDateAndTimeUtc(create_ts)} zone="UTC" />
      ),
    },
    {
      title: 'Mail Provider',
      width: 17,
      cell: (mail) => mail.uploadDoc.mail_service_provider,
    },
    {
      title: 'State',
      width: 23,
      cell: ({ state, failure, email }) => (
        <div>
          <Chip tone={TONES[state] ?? 'neutral'}>{capitalised(state)}</Chip>
          {failure && <div className={classes.reason}>{failure}</div>}
          {email !== order.contact_email_address && (
            <div className={classes.reason}>
              to <bdi>{email}</bdi>
            </div>
          )}
        </div>
      ),
    },
  ];
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
