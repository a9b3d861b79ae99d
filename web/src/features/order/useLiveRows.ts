import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { IN_BACKGROUND, type LiveChanges } from '@/api/liveCalls';
import type { OrderSummary } from '@/api/types';
import { answer, api } from '@/api/client';
import { onOrdersChanged } from './liveOrders';
import type { ListFilter } from './filters/filterKeys';
import { replaceInLists, sentFilter } from './orderQueries';

interface LiveRowsOptions {
  orderName: string;
  userName: string;
  /** The loaded rows. */
  rows: readonly OrderSummary[];
  /** Identifies the list and its page. */
  view: string;
  /** The values that its orders must have. */
  filter: ListFilter;
  /** False where new rows belong to no known place: on a later page, in a search, and in a filtered list. */
  hasNews: boolean;
  /** The lowest id with which an order that is not shown would be among the rows: older ones are on later pages. */
  newFrom: number;
}

export interface LiveRows {
  /** The number of orders that the list has and does not show yet. */
  news: number;
  /** The shown orders that the list has no more. */
  gone: ReadonlySet<number>;
  /** Forgets the new orders, which are about to be shown. */
  clearNews: () => void;
}

interface Found {
  view: string;
  news: ReadonlySet<number>;
  gone: ReadonlySet<number>;
}

/** Follows the changes of the shown rows in place. New rows wait until they are asked for, and rows that left stay marked: nothing moves. */
export function useLiveRows(options: LiveRowsOptions): LiveRows {
  const { orderName, userName, rows, view, filter, hasNews, newFrom } = options;
  const queries = useQueryClient();
  const [latest, setFound] = useState<Found>(() => nothing(view));
  const found = latest.view === view ? latest : nothing(view);
  const shown = new Set(rows.map((row) => row.order_id));

  const isShown = (id: number) => shown.has(id);
  const isNew = (id: number) => hasNews && id >= newFrom && !shown.has(id);
  const readAgain = async (ids: readonly number[]) => {
    const params = {
      path: { orderName, orderIds: ids.join() },
      query: { userName, ...sentFilter(filter) },
    };
    const options = { params, headers: IN_BACKGROUND };
    const asked = api.GET('/api/admin/order-rows/{orderName}/{orderIds}', options);
    // A row that cannot be read stays as it is: the next change of it is another occasion.
    const read = await answer(asked).catch(() => undefined);
    if (!read) return;
    replaceInLists(queries, read.data);
    const still = new Set(read.data.map((row) => row.order_id));
    const left = ids.filter((id) => !still.has(id));
    if (left.length > 0)
      setFound((before) =>
        before.view === view ? { ...before, gone: changedSet(before.gone, left, NONE) } : before,
      );
  };
  const take = ({ orders }: LiveChanges) => {
    const [listed, left] = [new Set<number>(), new Set<number>()];
    for (const { order_id: id, folders } of orders) {
      (folders.includes(orderName) ? listed : left).add(id);
    }
    setFound((before) => {
      const { news, gone } = before.view === view ? before : nothing(view);
      return {
        view,
        news: changedSet(news, [...listed].filter(isNew), left),
        gone: changedSet(gone, [...left].filter(isShown), listed),
      };
    });
    const changed = [...listed].filter(isShown);
    if (changed.length > 0) void readAgain(changed);
  };
  const latestTake = useRef(take);
  useEffect(() => {
    latestTake.current = take;
  });
  useEffect(() => onOrdersChanged((changes) => latestTake.current(changes)), []);

  return {
    news: [...found.news].filter((id) => !shown.has(id)).length,
    gone: found.gone,
    clearNews: () => setFound({ ...found, news: NONE }),
  };
}

const NONE: ReadonlySet<number> = new Set();

function changedSet(
  known: ReadonlySet<number>,
  added: readonly number[],
  removed: ReadonlySet<number>,
): ReadonlySet<number> {
  return new Set([...known, ...added].filter((id) => !removed.has(id)));
}

const nothing = (view: string): Found => ({ view, news: NONE, gone: NONE });
