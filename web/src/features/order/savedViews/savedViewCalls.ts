import { queryOptions } from '@tanstack/react-query';
import { answer, api } from '@/api/client';
import { IN_BACKGROUND } from '@/api/liveCalls';
import type { SavedView, SaveView } from '@/api/types';
import { FILTER_KEYS, type ListFilter } from '../filters/filterKeys';
import { folderNamed } from '../folders';
import type { Sort } from '../useListParams';

/** The root of the queries of views. */
const VIEWS = ['saved views'] as const;

const MINUTE_MS = 60_000;

/** The views that the member sees. */
export const savedViewsQuery = queryOptions({
  queryKey: VIEWS,
  queryFn: async ({ signal }) => {
    const options = { headers: IN_BACKGROUND, signal };
    return (await answer(api.GET('/api/admin/saved-views', options))).data;
  },
  staleTime: MINUTE_MS,
});

/** The number of orders in each view. */
export const savedViewCountsQuery = queryOptions({
  queryKey: [...VIEWS, 'counts'],
  queryFn: async ({ signal }) => {
    const options = { headers: IN_BACKGROUND, signal };
    return (await answer(api.GET('/api/admin/saved-view-counts', options))).data;
  },
  staleTime: MINUTE_MS,
  refetchInterval: MINUTE_MS,
});

export const saveView = (body: SaveView) => answer(api.PUT('/api/admin/saved-view', { body }));

export const deleteSavedView = (viewId: number) =>
  answer(api.PUT('/api/admin/delete-saved-view', { body: { viewId } }));

/** The order of rows as the server has it. The address of a list of disputes leaves out the order by urgency. */
export function sentSort(
  orderName: string,
  sort: Sort | undefined,
): 'urgency' | 'reversed' | undefined {
  if (sort === 'reversed') return sort;
  return folderNamed(orderName)?.hasUrgency && sort === undefined ? 'urgency' : undefined;
}

/** The same for an address. */
function addressSort({ folder, sort }: Pick<SavedView, 'folder' | 'sort'>): Sort | undefined {
  if (sort === 'reversed') return sort;
  return folderNamed(folder)?.hasUrgency && sort !== 'urgency' ? 'newest' : undefined;
}

/** The address of a view's list. */
export function pathOfView(view: Pick<SavedView, 'folder' | 'filter' | 'sort'>): string {
  const search = new URLSearchParams();
  for (const key of FILTER_KEYS) {
    const value = view.filter[key];
    if (value) search.set(key, value);
  }
  const sort = addressSort(view);
  if (sort) search.set('sort', sort);
  return `${folderNamed(view.folder)?.path ?? ''}?${search}`;
}

/** The view that a list shows; undefined if it was not saved. */
export function viewShown(
  views: readonly SavedView[],
  orderName: string,
  filter: ListFilter,
  sort: Sort | undefined,
): SavedView | undefined {
  const shown = { folder: orderName, sort: sentSort(orderName, sort) };
  const path = pathOfView({ ...shown, filter: filter as SavedView['filter'] });
  return views.find((view) => pathOfView(view) === path);
}

/** The count of a view: up to 99+. */
export function viewCountText(count: number | null | undefined): string {
  if (count === null || count === undefined) return '';
  return count > 99 ? '99+' : String(count);
}
