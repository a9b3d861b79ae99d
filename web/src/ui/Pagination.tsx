import classes from './Pagination.module.css';

const SIBLINGS = 1;

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

/**
 * The page numbers to offer: the first, the last, and the current one with its neighbours.
 * A gap of more than one page is an ellipsis; a gap of one page is that page.
 */
export function pageItems(page: number, pages: number): (number | '…')[] {
  const from = Math.max(1, Math.min(page - SIBLINGS, pages - 2 * SIBLINGS - 2));
  const to = Math.min(pages, Math.max(page + SIBLINGS, 2 * SIBLINGS + 3));
  const items: (number | '…')[] = [];
  if (from > 1) items.push(1);
  if (from > 2) items.push(from === 3 ? 2 : '…');
  for (let number = from; number <= to; number++) items.push(number);
  if (to < pages - 1) items.push(to === pages - 2 ? pages - 1 : '…');
  if (to < pages) items.push(pages);
  return items;
}
