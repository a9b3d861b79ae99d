import { act, renderHook, waitFor } from '@testing-library/react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { LIST } from '@/testing/openList';
import { get, orderNumber, refusal, server, success } from '@/testing/server';
import { reloadHiddenPages } from './orderQueries';
import { useOrderRows, type OrderRowsRequest } from './useOrderRows';

const ALL: OrderRowsRequest = { orderName: 'allOrder', q: '', page: 1, limit: 'All' };

interface Page {
  total: number;
  more?: boolean;
  /** The first id of the page, which counts down. */
  from?: number;
  refused?: boolean;
}

/**
 * Serves pages as they are at the time of each request, those after the first answer once `later` is resolved. Returns the
 * numbers of those that were asked for.
 */
function servePages(pageAt: (page: number) => Page, later?: Promise<void>): number[] {
  const asked: number[] = [];
  server.use(
    get(LIST, async ({ request }) => {
      const search = new URL(request.url).searchParams;
      const [page, limit] = [Number(search.get('page')), Number(search.get('limit'))];
      asked.push(page);
      if (asked.length > 1) await later;
      const { total, more = false, from = 100_000 - (page - 1) * limit, refused } = pageAt(page);
      if (refused) return refusal(400, `Page ${page} is refused`);
      const length = Math.max(0, Math.min(limit, total - (page - 1) * limit));
      const data = Array.from({ length }, (_, index) => orderNumber(from - index));
      return success({ data, total, more, page, limit });
    }),
  );
  return asked;
}

function rowsOf(initialProps: OrderRowsRequest) {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const Queries = ({ children }: { children: ReactNode }) => (
    <MemoryRouter>
      <QueryClientProvider client={queries}>{children}</QueryClientProvider>
    </MemoryRouter>
  );
  const hook = renderHook((request: OrderRowsRequest) => useOrderRows(request, 'Ayu'), {
    wrapper: Queries,
    initialProps,
  });
  return { ...hook, queries };
}

const LAST_FIVE = [99_960, 99_959, 99_958, 99_957, 99_956];

const ascending = (pages: number[]) => pages.toSorted((one, other) => one - other);

test('a page of the list is its rows, and no other page is loaded', async () => {
  const asked = servePages(() => ({ total: 45 }));
  const list = rowsOf({ ...ALL, page: 5, limit: 10 });
  await waitFor(() => expect(list.result.current.rows).toHaveLength(5));
  expect(list.result.current).toMatchObject({ total: 45, more: false, isStale: false });
  expect(asked).toEqual([5]);
});

test('of a list of all orders ten pages are loaded at once, and others when they are in view', async () => {
  const asked = servePages(() => ({ total: 7_600 }));
  const list = rowsOf(ALL);
  await waitFor(() => expect(asked).toHaveLength(10));
  await waitFor(() => expect(list.result.current.rows?.[4_999]).toBeDefined());
  expect(ascending(asked)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(list.result.current.rows).toHaveLength(7_600);
  expect(list.result.current.rows?.[5_000]).toBeUndefined();
  act(() => list.result.current.onRange(4_000, 4_020));
  act(() => list.result.current.onRange(6_490, 6_510));
  await waitFor(() => expect(list.result.current.rows?.[6_510]?.order_id).toBe(93_490));
  expect(ascending(asked).slice(10)).toEqual([13, 14]);
  // Another filter loads its own first pages.
  list.rerender({ ...ALL, needs: 'emails' });
  await waitFor(() => expect(asked).toHaveLength(22));
  expect(ascending(asked.slice(12))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

test('an order that moved to the next page meanwhile is listed once', async () => {
  servePages((page) => ({ total: 1_000, ...(page === 2 ? { from: 100_000 - 499 } : {}) }));
  const list = rowsOf(ALL);
  await waitFor(() => expect(list.result.current.rows).toHaveLength(999));
  expect(new Set(list.result.current.rows?.map((row) => row?.order_id)).size).toBe(999);
});

test('the total of a long search grows with its pages', async () => {
  const asked = servePages((page) =>
    page < 3 ? { total: page * 500, more: true } : { total: 1_200 },
  );
  const list = rowsOf(ALL);
  await waitFor(() => expect(list.result.current).toMatchObject({ total: 1_200, more: false }));
  expect(list.result.current.rows).toHaveLength(1_200);
  expect(ascending(asked)).toEqual([1, 2, 3]);
});

test('while there are more orders than are known, one more row is loading', async () => {
  servePages((page) => (page === 1 ? { total: 500, more: true } : { total: 500, refused: true }));
  const list = rowsOf(ALL);
  await waitFor(() => expect(list.result.current.error?.message).toBe('Page 2 is refused'));
  expect(list.result.current.rows).toHaveLength(501);
  expect(list.result.current.rows?.[500]).toBeUndefined();
});

test('rows stay until those of the next page are there, also on the way to all rows', async () => {
  let load: (() => void) | undefined;
  const loaded = new Promise<void>((resolve) => {
    load = resolve;
  });
  servePages(() => ({ total: 45 }), loaded);
  const list = rowsOf({ ...ALL, page: 5, limit: 10 });
  await waitFor(() => expect(list.result.current.rows).toHaveLength(5));
  for (const request of [{ ...ALL, limit: 25 } as const, ALL]) {
    list.rerender(request);
    expect(list.result.current).toMatchObject({ isStale: true, total: 45 });
    expect(list.result.current.rows?.map((row) => row?.order_id)).toEqual(LAST_FIVE);
  }
  load?.();
  await waitFor(() => expect(list.result.current.rows).toHaveLength(45));
  expect(list.result.current.isStale).toBe(false);
});

test('a list that is loaded again asks for the page on the screen, and for others when they are in view', async () => {
  const asked = servePages(() => ({ total: 1_200 }));
  const list = rowsOf(ALL);
  await waitFor(() => expect(list.result.current.rows?.at(-1)).toBeDefined());
  expect(asked).toHaveLength(3);
  act(() => list.result.current.refetch());
  await waitFor(() => expect(asked.slice(3)).toEqual([1]));
  act(() => list.result.current.onRange(980, 1_010));
  await waitFor(() => expect(ascending(asked.slice(3))).toEqual([1, 2, 3]));
  act(() => list.result.current.onRange(0, 20));
  act(() => list.result.current.onRange(980, 1_010));
  expect(asked).toHaveLength(6);
});

test('the newest page says how many rows there are', async () => {
  let total = 1_200;
  servePages(() => ({ total }));
  const list = rowsOf(ALL);
  await waitFor(() => expect(list.result.current.rows?.at(-1)).toBeDefined());
  total = 1_199;
  await new Promise((passed) => setTimeout(passed, 5));
  act(() => list.result.current.refetch());
  await waitFor(() => expect(list.result.current.total).toBe(1_199));
});

test('of the pages off the screen, a change reloads those that contain its orders', async () => {
  const asked = servePages(() => ({ total: 1_200 }));
  const list = rowsOf(ALL);
  await waitFor(() => expect(list.result.current.rows?.at(-1)).toBeDefined());
  act(() => reloadHiddenPages(list.queries, [100_000, 99_400]));
  await waitFor(() => expect(asked.slice(3)).toEqual([2]));
});
