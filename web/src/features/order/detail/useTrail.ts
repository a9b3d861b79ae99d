import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { besideOf, fromOrigin, originOf } from '@/paths/origin';
import { paths } from '@/paths/staffPaths';
import { orderPageQuery, type OrderPageRequest } from '../orderQueries';
import { rememberTrail, useOrderTrail } from '../orderTrail';
import { orderDetailsQuery } from './orderDetailsQuery';
import { useWayBack } from './useWayBack';

type Direction = 1 | -1;

/** An order beside this one in the list. */
export interface Neighbour {
  id: number;
  path: string;
  /** The state of the navigation to it. */
  state: object;
  /** Takes the steps that its page of the list needs. Call it before the navigation. */
  enter: () => void;
  /** Fetches it ahead. Fetching counts as seeing it, so this needs a sign that it will be opened. */
  prefetch: () => void;
}

interface Trail {
  /** The place in the list, from 1; null for an order that was not opened from the last list. */
  place: number | null;
  /** As text, because that of a search may not be known. */
  total: string;
  previous: Neighbour | undefined;
  next: Neighbour | undefined;
  /** Opens a neighbour, if there is one. */
  open: (neighbour: Neighbour | undefined) => void;
}

/** The place of the order in the list that it was opened from, across its pages. `isLoaded`: the order itself is shown. */
export function useTrail(orderId: number, userName: string, isLoaded: boolean): Trail {
  const navigate = useNavigate();
  const location = useLocation();
  const queries = useQueryClient();
  const { orderIds, listPath, page } = useOrderTrail();
  const back = useWayBack();
  // From an order that is not in the list, the steps go on beside the one from which it was opened.
  const inList = orderIds.includes(orderId) ? orderId : (besideOf(location) ?? orderId);
  const index = back.path === listPath ? orderIds.indexOf(inList) : -1;
  const isIn = index >= 0;
  // A neighbour opens in the same view.
  const view = location.search;
  const request = page?.request;
  const start = request ? (request.page - 1) * request.limit : 0;
  const total = page?.total ?? orderIds.length;
  const hasAfter =
    request !== undefined && (page?.more === true || start + orderIds.length < total);
  const isFirst = isIn && index === 0;
  const isLast = isIn && index === orderIds.length - 1;
  const before = useListPage(
    request && isFirst && request.page > 1 ? turned(request, -1) : null,
    userName,
  );
  const same = useListPage(request && isLast && hasAfter ? request : null, userName);
  const after = useListPage(request && isLast && hasAfter ? turned(request, 1) : null, userName);

  const prefetch = useCallback(
    (id: number) => void queries.prefetchQuery(orderDetailsQuery(id)),
    [queries],
  );
  const neighbour = (by: Direction): Neighbour | undefined => {
    const beside = isIn ? orderIds[index + by] : undefined;
    const state = { ...(location.state as object | null), beside: undefined, by };
    if (beside !== undefined) {
      return {
        id: beside,
        path: paths.viewOrder(beside) + view,
        state,
        enter: () => {},
        prefetch: () => prefetch(beside),
      };
    }
    const origin = originOf(location);
    if (!request || !listPath || !origin) return undefined;
    // Orders that left the list since have pulled the next ones up to the same page.
    const pages = by === 1 ? same && after && [same, after] : before && [before];
    for (const { data, page: number, total: now, more = false } of pages ?? []) {
      const ids = data.map((row) => row.order_id);
      const id = beyond(orderIds, by === 1 ? ids : ids.toReversed());
      if (id === undefined) continue;
      const path = pathOfPage(listPath, number);
      const there = { request: { ...request, page: number }, total: now, more };
      return {
        id,
        path: paths.viewOrder(id) + view,
        state: { ...state, ...fromOrigin({ ...origin, path }) },
        // With the orders that moved to this page, whose places count.
        enter: () => rememberTrail(ids, path, there),
        prefetch: () => prefetch(id),
      };
    }
    return undefined;
  };
  const previous = neighbour(-1);
  const next = neighbour(1);

  // One who steps through the list is likely to take the next step.
  const stepped = (location.state as { by?: Direction } | null)?.by;
  const ahead = stepped === 1 ? next?.id : stepped === -1 ? previous?.id : undefined;
  useEffect(() => {
    if (isLoaded && ahead !== undefined) prefetch(ahead);
  }, [isLoaded, ahead, prefetch]);

  return {
    place: isIn ? start + index + 1 : null,
    total: page?.more ? `${total}+` : String(total),
    previous,
    next,
    open: (neighbour) => {
      if (!neighbour) return;
      neighbour.enter();
      void navigate(neighbour.path, { state: neighbour.state });
    },
  };
}

const turned = (request: OrderPageRequest, by: Direction): OrderPageRequest => ({
  ...request,
  page: request.page + by,
});

/** The first of `ids` that follows all the known ones. */
const beyond = (known: readonly number[], ids: readonly number[]): number | undefined =>
  ids[ids.findLastIndex((id) => known.includes(id)) + 1];

function pathOfPage(listPath: string, page: number): string {
  const [path, query] = listPath.split('?');
  const search = new URLSearchParams(query);
  if (page === 1) search.delete('page');
  else search.set('page', String(page));
  return search.size > 0 ? `${path}?${search}` : path!;
}

/** A page of the list as it was when the edge was reached: a change of this order moves the rows. */
function useListPage(request: OrderPageRequest | null, userName: string) {
  const query = orderPageQuery(request ?? { orderName: '', page: 1, limit: 1, q: '' }, userName);
  const page = useQuery({
    ...query,
    queryKey: ['trail', ...query.queryKey],
    placeholderData: undefined,
    staleTime: Infinity,
    gcTime: 0,
    enabled: request !== null,
  });
  return request ? page.data : undefined;
}
