import classes from './Pagination.module.css';
import { pageItems } from './pageItems';

interface PaginationProps {
  page: number;
  pages: number;
  onPage: (page: number) => void;
}

/** Previous, the page numbers, next. */
export function Pagination({ page, pages, onPage }: PaginationProps) {
  return (
    <nav className={classes.pages} aria-label="Pages">
      <button
        type="button"
        className={classes.page}
        aria-label="Previous page"
        disabled={page <= 1}
        onClick={() => onPage(page - 1)}
      >
        ‹
      </button>
      {pageItems(page, pages).map((item, index) =>
        item === '…' ? (
          <span key={`gap-${index < 3}`} className={classes.gap} aria-hidden="true">
            …
          </span>
        ) : (
          <button
            key={item}
            type="button"
            className={classes.page}
            aria-label={`Page ${item}`}
            aria-current={item === page ? 'page' : undefined}
            onClick={() => onPage(item)}
          >
            {item}
          </button>
        ),
      )}
      <button
        type="button"
        className={classes.page}
        aria-label="Next page"
        disabled={page >= pages}
        onClick={() => onPage(page + 1)}
      >
        ›
      </button>
    </nav>
  );
}
