import type { OrderDetails } from '@/api/types';
import { Time } from '@/ui/Time';
import { HistoryTable, type HistoryColumn } from '../HistoryTable';
import { useHistory } from '../useHistory';

type FailedTry = OrderDetails['failed_tries'][number];

/** Wrong emails and codes for the order on the public pages. Shown only where there are some, to those who may see them. */
export function FailedTries({ order }: { order: OrderDetails }) {
  const history = useHistory(order, 'tries');
  if (history.rows.length === 0) return null;
  return (
    <HistoryTable
      title="Failed Tracking Attempts"
      columns={COLUMNS}
      history={history}
      rowKey={({ hour, network }) => `${hour} ${network}`}
    />
  );
}

const COLUMNS: readonly HistoryColumn<FailedTry>[] = [
  { title: '#', width: 5, cell: (_, index) => index + 1 },
  { title: 'Last Attempt', width: 27, cell: ({ last_at }) => <Time iso={last_at} /> },
  {
    title: 'Attempts in the Hour',
    width: 16,
    cell: ({ tries }) => tries,
  },
  {
    title: 'IP Address',
    width: 33,
    cell: ({ network }) => (network === null ? 'Other networks' : <bdi>{network}</bdi>),
  },
  { title: 'Location', width: 19, cell: ({ location }) => <bdi>{location}</bdi> },
];
