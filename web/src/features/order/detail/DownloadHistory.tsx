import type { OrderDetails } from '@/api/types';
import { WrittenTime } from '@/ui/Time';
import { usDateAndTimeEst } from '@/ui/times';
import { HistoryTable, type HistoryColumn } from './HistoryTable';
import { visaName } from './visaName';

type VisaDownload = OrderDetails['downloadHistory'][number];

/** When and from where the customer downloaded the visa. */
export function DownloadHistory({ order }: { order: OrderDetails }) {
  return (
    <HistoryTable
      title="Download History"
      columns={columnsOf(order)}
      rows={order.downloadHistory}
      rowKey={(download, index) => `${download.create_ts} ${index}`}
    />
  );
}

function columnsOf(order: OrderDetails): HistoryColumn<VisaDownload>[] {
  return [
    { title: '#', width: 5, cell: (_, index) => index + 1 },
    { title: 'Order Id', width: 14, cell: (download) => download.order_id },
    {
      title: 'Date and Time (EST)',
      width: 21,
      cell: ({ create_ts }) => (
        <WrittenTime iso={create_ts} text={usDateAndTimeEst(create_ts)} zone="EST" />
      ),
    },
    {
      title: 'Downloaded File',
      width: 17,
      cell: ({ file1 }) => <bdi title={file1}>{visaName(order, file1)}</bdi>,
    },
    {
      title: 'IP Address',
      width: 26,
      cell: ({ ip }) => <bdi>{ip.replace(/^::ffff:/i, '')}</bdi>,
    },
    { title: 'Location', width: 17, cell: ({ location }) => <bdi>{location}</bdi> },
  ];
}
