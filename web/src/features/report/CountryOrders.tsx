import { useQuery } from '@tanstack/react-query';
import type { CountryOrders as Country } from '@/api/types';
import { CountBar } from '@/ui/CountBar';
import type { Column } from '@/ui/column';
import { Report, sumOf } from './Report';
import { countryOrdersFile, countryOrdersQuery } from './reportQueries';
import { formatCount } from '@/ui/numbers';
import { useMe } from '@/session/me';
import { useReportParams } from './useReportParams';

/** The number of received orders by nationality. */
export function CountryOrders() {
  const { may } = useMe();
  const params = useReportParams();
  const report = useQuery(countryOrdersQuery(params.days));
  return (
    <Report
      title="Country Orders List"
      searchLabel="Search by nationality"
      nameOf={({ nationality }) => nationality}
      params={params}
      report={report}
      rows={report.data}
      columnsOf={columnsOf}
      loadFile={may.export_csv ? (signal) => countryOrdersFile(params.days, signal) : undefined}
    />
  );
}

const PARTS = [
  ['Standard Orders', 'standard_count'],
  ['Priority Orders', 'priority_count'],
  ['Future Orders', 'future_count'],
] as const;

function columnsOf(all: readonly Country[], shown: readonly Country[]): Column<Country>[] {
  const most = Math.max(0, ...all.map(({ count }) => count));
  return [
    {
      title: 'Country',
      widthPx: 240,
      narrowPx: 150,
      cell: ({ nationality }) => <span title={nationality}>{nationality}</span>,
      total: 'Total',
    },
    {
      title: 'Order',
      widthPx: 200,
      grows: true,
      isNumber: true,
      cell: ({ count }) => <CountBar count={count} most={most} />,
      total: sumOf(shown, 'count'),
    },
    ...PARTS.map(([title, key]) => ({
      title,
      widthPx: 130,
      isNumber: true,
      cell: (row: Country) => formatCount(row[key]),
      total: sumOf(shown, key),
    })),
  ];
}
