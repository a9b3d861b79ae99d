import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query';
import { answer, api, dataOf, fileAnswer } from '@/api/client';
import type { OrderDetails, OrderSummary, SentFilter } from '@/api/types';
import { isEmpty, type ListFilter } from './filters/filterKeys';
import type { Needs } from './needs';

/** The root of all queries that a change to an order makes stale. */
export const ORDER = ['order'] as const;

/** Which orders of which folder. */
export interface OrderFilter {
  orderName: string;
  /** The search text; empty for the whole folder. */
  q: string;
  /** The order of the rows, if not the newest first. */
  sort?: 'urgency' | 'reversed' | undefined;
  /** Only orders that need a member of staff for this reason. */
  needs?: Needs | undefined;
  /** The values that orders must have. */
  filter?: ListFilter | undefined;
  /** A month of the future list. */
  month?: string;
  year?: number;
}

/** Which rows of which list. */
export interface OrderPageRequest extends OrderFilter {
  page: number;
  limit: number;
  /** Comments that the rows show. */
  comments?: 'newest' | undefined;
}

const LISTS = [...ORDER, 'list'] as const;

/** A way back within this time shows the list as it was left, while it is loaded again. */
const KEPT_MS = 60_000;

/** The query for a page of a list. Spec §2: each visit begins with a cleared list; a way back is the same `visit`. */
export function orderPageQuery(request: OrderPageRequest, userName: string, visit = '') {
  return queryOptions({
    queryKey: [...LISTS, request, userName, visit],
    queryFn: ({ signal }) => fetchOrderPage(request, userName, signal),
    placeholderData: keepPreviousData,
    gcTime: KEPT_MS,
    // Rows never move under the cursor by themselves.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

type OrderPage = Awaited<ReturnType<typeof fetchOrderPage>>;

async function fetchOrderPage(request: OrderPageRequest, userName: string, signal: AbortSignal) {
  const { orderName, page, limit, q, sort, needs, month, year, comments } = request;
  const filter = sentFilter(request.filter);
  if (q) {
    const start = (page - 1) * limit;
    const body = {
      start,
      end: start + limit,
      searchVal: q,
      folderName: orderName,
      month,
      year,
      sort,
      needs,
      filter,
      comments,
    };
    return answer(api.POST('/api/admin/search-order', { body, signal }));
  }
  const window = { page, limit, delay: '1', userName, comments };
  const query = { ...window, month, year, sort, needs, ...filter };
  const params = { path: { orderName }, query };
  return answer(api.GET('/api/admin/get-orders-list/{orderName}', { params, signal }));
}

/** A filter as calls take it, if it leaves out anything. It comes from the address, so its values may be any: the server checks them. */
export function sentFilter(filter: ListFilter | undefined) {
  type Sent = { [Key in keyof SentFilter]: NonNullable<SentFilter[Key]> };
  return filter && !isEmpty(filter) ? (filter as Sent) : undefined;
}

/** The whole list as a CSV file. */
export function ordersFile(
  { orderName, q, filter, ...rest }: OrderFilter,
  userName: string,
  signal: AbortSignal,
) {
  const query = { search: q || undefined, userName, ...rest, ...sentFilter(filter) };
  const params = { path: { orderName }, query };
  const call = api.GET('/api/admin/orders-csv/{orderName}', { params, parseAs: 'blob', signal });
  return fileAnswer(call);
}

/** Removes orders from every list in the cache, until the lists are loaded again. */
export function removeFromLists(queries: QueryClient, ids: readonly number[]): void {
  const removed = new Set(ids);
  queries.setQueriesData<OrderPage>({ queryKey: LISTS }, (page) => {
    if (!page) return page;
    const data = page.data.filter(({ order_id: id }) => !removed.has(id));
    return { ...page, data, total: page.total - (page.data.length - data.length) };
  });
}

/** Shows an order in every list in the cache as its details say, until the lists are loaded again. */
export function updateInLists(queries: QueryClient, details: OrderDetails): void {
  const { order_id: orderId, process_status, assign_to, updated_at } = details;
  queries.setQueriesData<OrderPage>({ queryKey: LISTS }, (page) => {
    const isIn = page?.data.some(
      ({ order_id: id, updated_at: at }) => id === orderId && at !== updated_at,
    );
    if (!page || !isIn) return page;
    const data = page.data.map((row) =>
      row.order_id === orderId
        ? { ...row, process_status, assign_to: assign_to ?? null, updated_at }
        : row,
    );
    return { ...page, data };
  });
}

/** Shows orders in every list in the cache as `rows` say. */
export function replaceInLists(queries: QueryClient, rows: readonly OrderSummary[]): void {
  const read = new Map(rows.map((row) => [row.order_id, row]));
  queries.setQueriesData<OrderPage>({ queryKey: LISTS }, (page) =>
    page?.data.some(({ order_id: id }) => read.has(id))
      ? { ...page, data: page.data.map((row) => replaced(row, read.get(row.order_id))) }
      : page,
  );
}

/** The row as it is now. Where a search found its text is known of the row before alone. */
function replaced(before: OrderSummary, now: OrderSummary | undefined): OrderSummary {
  return now ? { ...now, found_in: before.found_in } : before;
}

/** Loads those pages of the open list again that are off the screen and contain changed orders. The others wait until they are in view. */
export function reloadHiddenPages(queries: QueryClient, ids: readonly number[]): void {
  const changed = new Set(ids);
  void queries.resetQueries({
    queryKey: LISTS,
    type: 'inactive',
    predicate: (query) => {
      const page = query.state.data as OrderPage | undefined;
      const isChanged = page?.data.some(({ order_id: id }) => changed.has(id)) ?? false;
      return query.getObserversCount() > 0 && isChanged;
    },
  });
}

/** At most eight orders that contain `typed`, in all folders that the member may list. */
export function foundOrdersQuery(typed: string) {
  return queryOptions({
    queryKey: [...ORDER, 'found', typed],
    queryFn: ({ signal }) => {
      const params = { query: { q: typed } };
      return dataOf(api.GET('/api/admin/find-orders', { params, signal }));
    },
    // A search is a look at orders, which the server notes: only typing repeats it.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    gcTime: 0,
  });
}

export function folderCountsQuery(userName: string) {
  return queryOptions({
    queryKey: [...ORDER, 'counts', userName],
    queryFn: ({ signal }) => {
      const params = { query: { userName } };
      return dataOf(api.GET('/api/admin/get-all-folder-count', { params, signal }));
    },
  });
}

const LOOK_AGAIN_MS = 30_000;

/** The emails about refunds that wait and that the member may stop. */
export const waitingRefundMailsQuery = queryOptions({
  queryKey: [...ORDER, 'refund mails'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/admin/waiting-refund-mails', { signal })),
  refetchInterval: ({ state }) => (state.data?.leave_at ? LOOK_AGAIN_MS : false),
});

export function futureMonthsQuery(year: number) {
  return queryOptions({
    queryKey: [...ORDER, 'future', year],
    queryFn: ({ signal }) => {
      const params = { query: { year } };
      return dataOf(api.GET('/api/admin/get-future-order-counts', { params, signal }));
    },
  });
}

export function futureMonthsFile(year: number, signal: AbortSignal) {
  const params = { query: { year } };
  return fileAnswer(api.GET('/api/admin/future-orders-csv', { params, parseAs: 'blob', signal }));
}
