import type { OrderDetails } from '@/api/types';
import { Button } from '@/ui/Button';
import { FormattedTime } from '@/ui/Time';
import { HistoryDetails, HistoryFact, HistoryFacts } from '../HistoryParts';
import { HistoryTable, type HistoryColumn } from '../HistoryTable';
import { useHistory } from '../useHistory';

type RemarkEntry = OrderDetails['remark'][number];

export const FLAGS = [
  ['Whatsapp', 'whatsapp'],
  ['Telephone', 'telephone'],
  ['Refund', 'status_refund'],
  ['Voided', 'voided'],
  ['Chargeback', 'chargeback'],
  ['ReportError', 'report_error'],
] as const;

/** The remarks of the team. Each row hides its text, and shows it again. */
export function CommentHistory({ order }: { order: OrderDetails }) {
  const history = useHistory(order, 'remarks');
  return (
    <HistoryTable
      title="Comment History"
      columns={COLUMNS}
      history={history}
      rowKey={({ id }) => id}
      more={{ startOpen: true, cell: remarkText }}
    />
  );
}

const COLUMNS: readonly HistoryColumn<RemarkEntry>[] = [
  { title: '#', width: 7, cell: (_, index) => index + 1 },
  { title: 'Order Id', width: 17, onPaper: true, cell: (remark) => remark.order_id },
  { title: 'Date', width: 26, cell: (remark) => <UsTime remark={remark} /> },
  {
    title: 'Team Member',
    width: 32,
    cell: ({ remark_name }) => <bdi>{remark_name}</bdi>,
  },
  {
    title: 'Action',
    width: 18,
    cell: (_, index, { isOpen, button }) => (
      <Button small aria-label={`${isOpen ? 'Hide' : 'Show'} comment ${index + 1}`} {...button}>
        {isOpen ? 'Hide' : 'Show'}
      </Button>
    ),
  },
];

/** The remark's own date and time come at −05:00. */
export function UsTime({ remark: { us_date, us_time } }: { remark: RemarkEntry }) {
  const [month, day, year] = us_date.split('/');
  const iso = `${year}-${month}-${day}T${us_time}-05:00`;
  return <FormattedTime iso={iso} text={`${us_date} ${us_time}`} zone="EST" />;
}

function remarkText(remark: RemarkEntry) {
  return (
    <HistoryDetails>
      <p dir="auto">{remark.remark}</p>
      <HistoryFacts>
        {FLAGS.map(([label, field]) => (
          <HistoryFact key={field} name={label} isSet={remark[field] === 'Y'}>
            {remark[field] || 'N'}
          </HistoryFact>
        ))}
      </HistoryFacts>
    </HistoryDetails>
  );
}
