import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { useLocation } from 'react-router';
import type { OrderSummary } from '@/api/types';
import { scrollKeyOf } from '@/paths/origin';
import { now } from '@/ui/clock';
import { ORDER, orderPageQuery, type OrderPageRequest } from './orderQueries';
import type { Limit } from './useListParams';

/** "All" comes in pages of this size. */
const ALL_PAGE_SIZE = 500;
/** A list of up to 5,000 rows is fetched completely; of a longer one only the visited pages. */
const PAGES_FETCHED_AHEAD = 10;

export interface OrderRowsRequest extends Omit<OrderPageRequest, 'limit'> {
  limit: Limit;
}

export interface OrderRows {
  /** The rows to show; undefined until the first ones are loaded. A row that is still loading is undefined. */
  rows: readonly (OrderSummary | undefined)[] | undefined;
  total: number;
  /** True if there are more rows than `total`. */
  more: boolean;
  /** True if the filter examined only the first orders of the list. */
  limited: boolean;
  /** True while the rows are still those of the previous page. */
  isStale: boolean;
  error: Error | null;
  refetch: () => void;
  /** Called with the range of rows on the screen. */
  onRange: (first: number, last: number) => void;
}

/** The loaded extent of "All" in one view of a list. */
interface Reach {
  view: string;
  /** The known number of pages. */
  pageCount: number;
  /** The visited pages beyond those fetched ahead. */
  visitedPages: readonly number[];
  /** The first and the last page on the screen. */
  shown: readonly [first: number, last: number];
}

const reachOf = (view: string): Reach => ({
  view,
  pageCount: 1,
  visitedPages: [],
  shown: [1, 1],
});

/** The rows of one page, or of the whole list when the limit is All. */
export function useOrderRows(request: OrderRowsRequest, userName: string): OrderRows {
  const queries = useQueryClient();
  const visit = scrollKeyOf(useLocation());
  const [openedAt] = useState(() => now().getTime());
  const isAll = request.limit === 'All';
  const pageRequest = (page: number): OrderPageRequest => ({
    ...request,
    page,
    limit: request.limit === 'All' ? ALL_PAGE_SIZE : request.limit,
  });

  const { orderName, q, sort, needs, filter, month, year } = request;
  const view = [orderName, q, sort, needs, month, year, JSON.stringify(filter)].join('\n');
  const { reach, setReach, onRange } = useReach(view);

  // A change reloads the pages on the screen alone. The others keep their rows until they are in view.
  const pageQuery = (page: number) => {
    const query = orderPageQuery(pageRequest(page), userName, visit);
    const isShown = !isAll || (page >= reach.shown[0] && page <= reach.shown[1]);
    return {
      ...query,
      enabled: isShown || queries.getQueryData(query.queryKey) === undefined,
      // Rows that this screen has loaded stay until a change; those of an earlier visit are loaded again.
      staleTime: ({ state }: { state: { dataUpdatedAt: number } }) =>
        state.dataUpdatedAt < openedAt ? 0 : Infinity,
    };
  };
  const first = useQuery(pageQuery(isAll ? 1 : request.page));
  const ahead = Math.min(reach.pageCount, PAGES_FETCHED_AHEAD);
  const wanted = isAll
    ? [...Array.from({ length: ahead }, (_, index) => index + 1).slice(1), ...reach.visitedPages]
    : [];
  const rest = useQueries({
    queries: wanted.map(pageQuery),
    combine: (results) => ({
      pages: results.map(({ data }) => data),
      loadedAt: results.map(({ dataUpdatedAt }) => dataUpdatedAt),
      error: results.find(({ error }) => error)?.error ?? null,
    }),
  });

  const { total = 0, more = false } =
    totalOf([first.data, ...rest.pages], [first.dataUpdatedAt, ...rest.loadedAt]) ?? {};
  const pageCount = Math.ceil(total / ALL_PAGE_SIZE) + (more ? 1 : 0);
  if (isAll && pageCount > reach.pageCount) setReach({ ...reach, pageCount });

  const rows = useMemo(() => {
    if (!first.data) return undefined;
    // The placeholder for the first page of "All" may be another page of another size.
    if (!isAll || first.isPlaceholderData) return first.data.data;
    const all = Array.from<OrderSummary | undefined>({ length: more ? total + 1 : total });
    for (const page of [first.data, ...rest.pages]) {
      page?.data.forEach((row, index) => {
        all[(page.page - 1) * ALL_PAGE_SIZE + index] = row;
      });
    }
    return withoutRepeats(all);
  }, [first.data, first.isPlaceholderData, rest.pages, isAll, total, more]);

  return {
    rows,
    total,
    more,
    limited: first.data?.limited ?? false,
    isStale: first.isPlaceholderData,
    error: first.error ?? rest.error,
    refetch: () => void queries.invalidateQueries({ queryKey: [...ORDER, 'list'] }),
    onRange,
  };
}

function useReach(view: string) {
  const [latest, setReach] = useState<Reach>(() => reachOf(view));
  const onRange = useCallback(
    (from: number, to: number) =>
      setReach((known) => shownIn(known.view === view ? known : reachOf(view), from, to)),
    [view],
  );
  return { reach: latest.view === view ? latest : reachOf(view), setReach, onRange };
}

/** The reach once the rows from `from` to `to` are on the screen. */
function shownIn(reach: Reach, from: number, to: number): Reach {
  const { visitedPages } = reach;
  const shown = [pageOfRow(from), pageOfRow(to)] as const;
  const added = shown.filter((page) => page > PAGES_FETCHED_AHEAD && !visitedPages.includes(page));
  const isSame = shown.every((page, end) => page === reach.shown[end]);
  if (added.length === 0 && isSame) return reach;
  return { ...reach, shown, visitedPages: [...new Set([...visitedPages, ...added])] };
}

const pageOfRow = (index: number) => Math.floor(index / ALL_PAGE_SIZE) + 1;

interface Counted {
  total: number;
  more: boolean;
}

/** The page that knows the total: the one that was loaded last, or the farthest in a search whose total grows page by page. */
function totalOf<Page extends Counted>(
  pages: readonly (Page | undefined)[],
  loadedAt: readonly number[],
): Page | undefined {
  const newest = pages[loadedAt.indexOf(Math.max(...loadedAt))];
  if (newest && !newest.more) return newest;
  return pages.reduce((far, page) => (page && page.total > (far?.total ?? 0) ? page : far), newest);
}

/** An order that moved between the loading of two pages is on both. */
function withoutRepeats(rows: (OrderSummary | undefined)[]): (OrderSummary | undefined)[] {
  const seen = new Set<number>();
  return rows.filter((row) => {
    if (row === undefined) return true;
    if (seen.has(row.order_id)) return false;
    seen.add(row.order_id);
    return true;
  });
}
