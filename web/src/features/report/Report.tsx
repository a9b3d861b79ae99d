import type { UseQueryResult } from '@tanstack/react-query';
import type { NamedFile } from '@/api/client';
import { notifyFailure } from '@/session/notifyFailure';
import { CsvButton } from '@/ui/CsvButton';
import type { Column } from '@/ui/column';
import { ListScreen } from '@/ui/ListScreen';
import { LoadedTable } from '@/ui/LoadedTable';
import { SearchBox } from '@/ui/SearchBox';
import { formatCount } from '@/ui/numbers';
import { plainDate } from '@/ui/times';
import { DaysForm } from './DaysForm';
import type { useReportParams } from './useReportParams';

interface ReportProps<Row> {
  title: string;
  searchLabel: string;
  nameOf: (row: Row) => string;
  params: ReturnType<typeof useReportParams>;
  report: UseQueryResult;
  /** Undefined until the report is there. */
  rows: readonly Row[] | undefined;
  /** The columns for all rows and the shown ones. */
  columnsOf: (all: readonly Row[], shown: readonly Row[]) => Column<Row>[];
  /** Given when the member may export the report. */
  loadFile?: (signal: AbortSignal) => Promise<NamedFile>;
}

/** Counts for a period: its days and a search above, the totals below. */
export function Report<Row>(props: ReportProps<Row>) {
  const { title, searchLabel, nameOf, params, report, rows: all, columnsOf, loadFile } = props;
  const { days, q, setDays, setQ } = params;
  const wanted = q.trim().toLowerCase();
  const shown = all?.filter((row) => nameOf(row).toLowerCase().includes(wanted));
  const isAskedAgain = (next: typeof days) =>
    next.fromDate === days.fromDate && next.toDate === days.toDate;
  return (
    <ListScreen
      title={title}
      summary={`${plainDate(days.fromDate)} to ${plainDate(days.toDate)}`}
      action={loadFile && <CsvButton load={loadFile} onFailure={notifyFailure} />}
      busy={report.isFetching}
      bar={
        <>
          <DaysForm
            days={days}
            onSubmit={(next) => {
              if (isAskedAgain(next)) void report.refetch();
              else setDays(next);
            }}
          />
          <SearchBox label={searchLabel} value={q} onSearch={setQ} />
        </>
      }
    >
      <LoadedTable
        label={title}
        columns={columnsOf(all ?? [], shown ?? [])}
        rows={shown}
        rowId={(_, index) => index + 1}
        error={report.error}
        onRetry={() => void report.refetch()}
        emptyReason={q ? `Nothing in this period matches “${q}”.` : 'No orders in this period.'}
        onClear={q ? () => setQ('') : undefined}
      />
    </ListScreen>
  );
}

export function sumOf<Key extends string>(rows: readonly Record<Key, number>[], key: Key): string {
  return formatCount(rows.reduce((sum, row) => sum + row[key], 0));
}
