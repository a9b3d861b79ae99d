import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { FILTER_KEYS, readFilter, type ListFilter } from './filters/filterKeys';
import { NEEDS, type Needs } from './needs';

export const LIMITS = [10, 25, 50, 100, 500, 'All'] as const;
export type Limit = (typeof LIMITS)[number];

const DEFAULT_LIMIT: Limit = 10;

/** The order of rows if not the list's own: `newest` in a list whose own is by urgency, or the reverse of the usual one. */
export const SORTS = ['newest', 'reversed'] as const;
export type Sort = (typeof SORTS)[number];

export interface ListParams {
  sort: Sort | undefined;
  needs: Needs | undefined;
  filter: ListFilter;
  page: number;
  limit: Limit;
  q: string;
}

/** The state of a list, which lives in the URL; anything odd there falls back to the default. */
export function readListParams(search: URLSearchParams): ListParams {
  const page = Number(search.get('page') ?? 1);
  const limit = LIMITS.find((limit) => String(limit) === search.get('limit'));
  return {
    sort: SORTS.find((sort) => sort === search.get('sort')),
    needs: NEEDS.find((needs) => needs === search.get('needs')),
    filter: readFilter(search),
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
    limit: limit ?? DEFAULT_LIMIT,
    q: search.get('q') ?? '',
  };
}

/** The list state, and how to change it. Turning a page is a step Back can undo; typing is not. */
export function useListParams() {
  const [search, setSearch] = useSearchParams();
  const params = useMemo(() => readListParams(search), [search]);
  const set = useCallback(
    (change: Partial<ListParams>, how?: { replace: boolean }) =>
      setSearch(() => {
        // What is on the screen may be older than the address: two changes in a row would lose the first.
        const before = new URLSearchParams(window.location.search);
        const after = new URLSearchParams(before);
        const { sort, needs, filter, page, limit, q } = { ...readListParams(before), ...change };
        setOrDrop(after, 'page', page === 1 ? '' : String(page));
        setOrDrop(after, 'limit', limit === DEFAULT_LIMIT ? '' : String(limit));
        setOrDrop(after, 'q', q);
        setOrDrop(after, 'sort', sort ?? '');
        setOrDrop(after, 'needs', needs ?? '');
        for (const key of FILTER_KEYS) setOrDrop(after, key, filter[key] ?? '');
        return after;
      }, how),
    [setSearch],
  );
  return {
    ...params,
    setPage: useCallback((page: number, how?: { replace: boolean }) => set({ page }, how), [set]),
    setLimit: useCallback((limit: Limit) => set({ limit, page: 1 }), [set]),
    setSort: useCallback((sort: Sort | undefined) => set({ sort, page: 1 }), [set]),
    setFilter: useCallback((filter: ListFilter) => set({ filter, page: 1 }), [set]),
    showAll: useCallback(() => set({ needs: undefined, page: 1 }), [set]),
    setQ: useCallback((q: string) => set({ q, page: 1 }, { replace: true }), [set]),
  };
}

function setOrDrop(search: URLSearchParams, key: string, value: string) {
  if (value) search.set(key, value);
  else search.delete(key);
}
