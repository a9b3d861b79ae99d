import { Pagination } from '@/ui/Pagination';
import { formatCount } from '@/ui/numbers';
import classes from './ListFooter.module.css';
import { LIMITS, type Limit } from './useListParams';

interface ListFooterProps {
  page: number;
  pages: number;
  limit: Limit;
  total: number;
  /** True if there are more rows than `total`. */
  more: boolean;
  /** The number of rows on this page. */
  shown: number;
  onPage: (page: number) => void;
  onLimit: (limit: Limit) => void;
}

/** The shown range, the rows per page and the page numbers. */
export function ListFooter(props: ListFooterProps) {
  const { page, pages, limit, total, more, shown, onPage, onLimit } = props;
  const first = limit === 'All' ? 1 : (page - 1) * limit + 1;
  const [from, to, all] = [first, first + shown - 1, total].map((n) => formatCount(n));
  return (
    <footer className={classes.footer}>
      <span>{shown > 0 && `Showing ${from} to ${to} of ${more ? 'more than ' : ''}${all}`}</span>
      <div>
        <label htmlFor="rows-per-page">Rows per page</label>
        <select
          id="rows-per-page"
          className={classes.select}
          value={limit}
          onChange={(event) =>
            onLimit(LIMITS.find((option) => String(option) === event.target.value) ?? 10)
          }
        >
          {LIMITS.map((option) => (
            <option key={option}>{option}</option>
          ))}
        </select>
      </div>
      <Pagination page={page} pages={pages} onPage={onPage} />
    </footer>
  );
}
