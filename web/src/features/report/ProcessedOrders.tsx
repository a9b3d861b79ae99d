import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ProcessedBy } from '@/api/types';
import { notifyFailure } from '@/session/notifyFailure';
import { notify } from '@/ui/notify';
import { CountBar } from '@/ui/CountBar';
import type { Column } from '@/ui/column';
import { useMe } from '@/session/me';
import { Report, sumOf } from './Report';
import { processedByFile, processedByQuery } from './reportQueries';
import { useReportParams } from './useReportParams';

/** The number of orders that each member completed. */
export function ProcessedOrders() {
  const { may } = useMe();
  const params = useReportParams();
  const report = useQuery(processedByQuery(params.days));
  useOutcomeToast(report);
  return (
    <Report
      title="Order Processed"
      searchLabel="Search by name"
      nameOf={({ processed_by }) => processed_by}
      params={params}
      report={report}
      rows={report.data?.rows}
      columnsOf={columnsOf}
      loadFile={may.export_csv ? (signal) => processedByFile(params.days, signal) : undefined}
    />
  );
}

/** Shows the server's message once per answer. Automatic retries show nothing. */
function useOutcomeToast({
  data,
  dataUpdatedAt,
  error,
  errorUpdatedAt,
}: UseQueryResult<{ message: string }>) {
  useEffect(() => {
    if (data) notify.success(data.message, { id: `report ${dataUpdatedAt}` });
  }, [data, dataUpdatedAt]);
  useEffect(() => {
    if (error) notifyFailure(error, { id: `report ${errorUpdatedAt}` });
  }, [error, errorUpdatedAt]);
}

function columnsOf(
  all: readonly ProcessedBy[],
  shown: readonly ProcessedBy[],
): Column<ProcessedBy>[] {
  const most = Math.max(0, ...all.map(({ count }) => count));
  return [
    // The position in the whole list, as in the CSV file.
    { title: 'Serial Number', widthPx: 120, cell: (row) => all.indexOf(row) + 1, total: 'Total' },
    {
      title: 'Name',
      widthPx: 280,
      narrowPx: 200,
      cell: ({ processed_by }) => <bdi title={processed_by}>{processed_by}</bdi>,
    },
    {
      title: 'Order Count',
      widthPx: 180,
      grows: true,
      isNumber: true,
      cell: ({ count }) => <CountBar count={count} most={most} />,
      total: sumOf(shown, 'count'),
    },
  ];
}
