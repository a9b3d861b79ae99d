import type { OrderDetails } from '@/api/types';
import { FormattedTime } from '@/ui/Time';
import { plainDate, usDateAndTimeEst } from '@/ui/times';
import { FileLink } from '../FileLink';
import { linkOf } from '../fileLinks';
import { HistoryNote } from '../HistoryParts';
import { HistoryTable, type HistoryColumn } from '../HistoryTable';
import { useHistory } from '../useHistory';
import { visaName } from './visaName';

type VisaDownload = OrderDetails['downloadHistory'][number];

/** Shown with a download whose user agent or headers are those of such a program. */
const AUTOMATED = 'By its user agent a mail scanner or link preview';

/** The customer's downloads of the visa. */
export function DownloadHistory({ order }: { order: OrderDetails }) {
  const history = useHistory(order, 'downloads');
  const asOf = newestPlaces(history.rows);
  return (
    <HistoryTable
      title="Download History"
      columns={columnsOf(order)}
      history={history}
      rowKey={({ id }) => id}
    >
      {asOf && (
        <HistoryNote>
          <a href="https://db-ip.com" target="_blank" rel="noopener noreferrer">
            IP Geolocation by DB-IP
          </a>
          , as of <time dateTime={asOf}>{plainDate(asOf)}</time>
        </HistoryNote>
      )}
    </HistoryTable>
  );
}

/** The date of the newest data that located a download; null when none was located. */
function newestPlaces(downloads: readonly VisaDownload[]): string | null {
  return downloads.reduce<string | null>((newest, { location_as_of: asOf }) => {
    return asOf && (newest === null || asOf > newest) ? asOf : newest;
  }, null);
}

function columnsOf(order: OrderDetails): HistoryColumn<VisaDownload>[] {
  return [
    { title: '#', width: 5, cell: (_, index) => index + 1 },
    { title: 'Order Id', width: 14, onPaper: true, cell: (download) => download.order_id },
    {
      title: 'Date and Time (EST)',
      width: 21,
      cell: ({ create_ts, automated }) => (
        <>
          <FormattedTime iso={create_ts} text={usDateAndTimeEst(create_ts)} zone="EST" />
          {automated && <HistoryNote>{AUTOMATED}</HistoryNote>}
        </>
      ),
    },
    {
      title: 'Downloaded File',
      width: 17,
      cell: ({ file1, link }) => (
        <FileLink orderId={order.order_id} file1={file1} link={linkOf(order, file1) ?? link}>
          <bdi>{visaName(order, file1)}</bdi>
        </FileLink>
      ),
    },
    {
      title: 'IP Address',
      width: 26,
      cell: ({ ip }) => <bdi>{ip.replace(/^::ffff:/i, '')}</bdi>,
    },
    {
      title: 'Location',
      width: 17,
      cell: ({ location, location_as_of: asOf }) => (
        <bdi title={asOf ? `As of ${plainDate(asOf)}` : undefined}>{location}</bdi>
      ),
    },
  ];
}
