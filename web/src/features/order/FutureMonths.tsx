import { useQuery } from '@tanstack/react-query';
import { paths } from '@/paths/staffPaths';
import { Button } from '@/ui/Button';
import classes from './FutureMonths.module.css';
import { notifyFailure } from '@/session/notifyFailure';
import { Bar } from '@/ui/CountBar';
import { CsvButton } from '@/ui/CsvButton';
import { ListNotice } from '@/ui/ListNotice';
import { futureMonthsFile, futureMonthsQuery } from './orderQueries';
import { Tile, Tiles } from './Tile';

/** The months as the wire spells them; a tile shows the first three letters. */
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

export function isMonth(text: string | null): text is string {
  return text !== null && MONTHS.includes(text);
}

interface FutureMonthsProps {
  year: number;
  /** The member may export the counts as a file. */
  mayExport: boolean;
  onYear: (year: number) => void;
}

/** Twelve months of a year, each with how many orders are to be processed in it. */
export function FutureMonths({ year, mayExport, onYear }: FutureMonthsProps) {
  const counts = useQuery(futureMonthsQuery(year));
  const countOf = (month: string) => counts.data?.find((entry) => entry.month === month)?.count;
  const most = Math.max(0, ...(counts.data ?? []).map(({ count }) => count));
  return (
    <section aria-labelledby="future-title">
      <header className={classes.head}>
        <h1 id="future-title">Future Order</h1>
        <div className={classes.years}>
          <Button aria-label={`Year ${year - 1}`} onClick={() => onYear(year - 1)}>
            ‹
          </Button>
          <strong role="status">{year}</strong>
          <Button aria-label={`Year ${year + 1}`} onClick={() => onYear(year + 1)}>
            ›
          </Button>
        </div>
        {mayExport && (
          <CsvButton load={(signal) => futureMonthsFile(year, signal)} onFailure={notifyFailure} />
        )}
      </header>
      {counts.error ? (
        <ListNotice text={counts.error.message} onRetry={() => void counts.refetch()} />
      ) : (
        <Tiles perRow="six">
          {MONTHS.map((month) => {
            const count = counts.data && (countOf(month) ?? 0);
            return (
              <Tile
                key={month}
                title={
                  <abbr title={month} className={classes.month}>
                    {month.slice(0, 3)}
                  </abbr>
                }
                count={count}
                to={paths.futureMonth(year, month)}
                quiet={count === 0}
              >
                {!!count && <Bar count={count} most={most} width="100%" />}
              </Tile>
            );
          })}
        </Tiles>
      )}
    </section>
  );
}
