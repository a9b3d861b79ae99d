import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { createBrowserRouter, RouterProvider } from 'react-router';
import { expect, test } from 'vitest';
import { readListParams, useListParams } from './useListParams';

const read = (search: string) => readListParams(new URLSearchParams(search));
const FIRST = { sort: undefined, needs: undefined, filter: {}, page: 1, limit: 10, q: '' };

/** The list state at a URL, and where the browser is. */
function openAt(search: string) {
  window.history.pushState(null, '', '/before');
  window.history.pushState(null, '', `/list${search}`);
  let router: ReturnType<typeof createBrowserRouter> | undefined;
  const wrapper = ({ children }: { children: ReactNode }) => {
    router ??= createBrowserRouter([{ path: '*', element: children }]);
    return <RouterProvider router={router} />;
  };
  const { result } = renderHook(useListParams, { wrapper });
  return {
    change: (run: (list: ReturnType<typeof useListParams>) => void) =>
      act(async () => run(result.current)),
    search: () => router!.state.location.search,
    back: () =>
      act(async () => {
        const gone = new Promise((resolve) =>
          window.addEventListener('popstate', resolve, { once: true }),
        );
        await router!.navigate(-1);
        await gone;
      }),
  };
}

test('the state of a list is read from the URL', () => {
  expect(read('')).toEqual(FIRST);
  expect(read('page=3&limit=25&q=emily&sort=newest&needs=emails')).toEqual({
    sort: 'newest',
    needs: 'emails',
    filter: {},
    page: 3,
    limit: 25,
    q: 'emily',
  });
  expect(read('limit=All').limit).toBe('All');
  expect(read('owner=none&visa=C1&status=').filter).toEqual({ owner: 'none', visa: 'C1' });
});

test.each([
  'page=0',
  'page=-2',
  'page=1.5',
  'page=two',
  'page=1e99',
  'limit=20',
  'limit=all',
  'sort=name',
  'sort=urgency',
  'needs=money',
])('an odd %s counts as the default', (search) => {
  expect(read(search)).toEqual(FIRST);
});

test('the URL names what differs from the default, and keeps what is not of the list', async () => {
  const list = openAt('?year=2027&limit=25');
  await list.change(({ setPage }) => setPage(3));
  expect(list.search()).toBe('?year=2027&limit=25&page=3');
  await list.change(({ setPage }) => setPage(1));
  expect(list.search()).toBe('?year=2027&limit=25');
  await list.change(({ setLimit }) => setLimit(10));
  expect(list.search()).toBe('?year=2027');
});

test.each<[string, (list: ReturnType<typeof useListParams>) => void, string]>([
  ['another limit', ({ setLimit }) => setLimit('All'), '?limit=All&q=emily&needs=emails'],
  ['another order', ({ setSort }) => setSort('newest'), '?q=emily&needs=emails&sort=newest'],
  ['another search', ({ setQ }) => setQ('clarke'), '?q=clarke&needs=emails'],
  ['no search', ({ setQ }) => setQ(''), '?needs=emails'],
  [
    'another filter',
    ({ setFilter }) => setFilter({ owner: 'me' }),
    '?q=emily&needs=emails&owner=me',
  ],
  ['all orders', ({ showAll }) => showAll(), '?q=emily'],
])('%s begins at the first page', async (_, run, search) => {
  const list = openAt('?page=3&q=emily&needs=emails');
  await list.change(run);
  expect(new URLSearchParams(list.search()).toString().split('&').toSorted()).toEqual(
    search.slice(1).split('&').toSorted(),
  );
});

test('Back undoes a turned page, but not letter by letter what was typed', async () => {
  const list = openAt('?limit=25');
  await list.change(({ setPage }) => setPage(2));
  await list.change(({ setQ }) => setQ('e'));
  await list.change(({ setQ }) => setQ('em'));
  expect(list.search()).toBe('?limit=25&q=em');
  await list.back();
  expect(list.search()).toBe('?limit=25');
});
