import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { IN_BACKGROUND, type LiveChanges } from '@/api/liveCalls';
import type { OrderSummary } from '@/api/types';
import { answer, api } from '@/api/client';
import { onOrdersChanged } from './liveOrders';
import { isEmpty, type ListFilter } from './filters/filterKeys';
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
  /** Comments that the rows show. */
  comments: 'newest' | undefined;
  /** False where new rows belong to no known place: on a page that does not end with the newest order, and in a search. */
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
  /** New orders of the folder that the filter may admit, which is not known yet. */
  unasked: ReadonlySet<number>;
}

/** A filtered list asks at most this often which of the new orders its filter admits. */
const ASK_EVERY_MS = 2_000;
/** The most orders of one call. */
const MAX_ASKED = 100;

/** Follows the changes of the shown rows in place. New rows wait until they are asked for, and rows that left stay marked: nothing moves. */
export function useLiveRows(options: LiveRowsOptions): LiveRows {
  const { orderName, userName, rows, view, filter, comments, hasNews, newFrom } = options;
  const queries = useQueryClient();
  const [known, setFound] = useState<Found>(() => nothing(view));
  const found = known.view === view ? known : nothing(view);
  const isFiltered = !isEmpty(filter);
  const shown = new Set(rows.map((row) => row.order_id));

  const isShown = (id: number) => shown.has(id);
  const isNew = (id: number) => hasNews && id >= newFrom && !shown.has(id);
  const inThisView = (change: (before: Found) => Partial<Found>) =>
    setFound((before) => (before.view === view ? { ...before, ...change(before) } : before));
  /** Reads those of the orders that the list has; undefined if that fails: the next change of an order is another occasion. */
  const read = async (ids: readonly number[]) => {
    const params = {
      path: { orderName, orderIds: ids.join() },
      query: { userName, comments, ...sentFilter(filter) },
    };
    const options = { params, headers: IN_BACKGROUND };
    const asked = api.GET('/api/admin/order-rows/{orderName}/{orderIds}', options);
    return (await answer(asked).catch(() => undefined))?.data;
  };
  const readAgain = async (ids: readonly number[]) => {
    const rows = await read(ids);
    if (!rows) return;
    replaceInLists(queries, rows);
    const still = new Set(rows.map((row) => row.order_id));
    const left = ids.filter((id) => !still.has(id));
    if (left.length > 0) inThisView(({ gone }) => ({ gone: changedSet(gone, left, NONE) }));
  };
  const askOfNew = async () => {
    const ids = [...found.unasked].toSorted((one, other) => other - one).slice(0, MAX_ASKED);
    const asked = new Set(ids);
    inThisView(({ unasked }) => ({ unasked: changedSet(unasked, [], asked) }));
    const rows = await read(ids);
    if (!rows) return;
    const admitted = rows.map((row) => row.order_id);
    inThisView(({ news }) => ({ news: new Set([...changedSet(news, [], asked), ...admitted]) }));
  };
  const take = ({ orders }: LiveChanges) => {
    const [listed, left] = [new Set<number>(), new Set<number>()];
    for (const { order_id: id, folders } of orders) {
      (folders.includes(orderName) ? listed : left).add(id);
    }
    const arrived = [...listed].filter(isNew);
    setFound((before) => {
      const { news, gone, unasked } = before.view === view ? before : nothing(view);
      return {
        view,
        news: changedSet(news, isFiltered ? [] : arrived, left),
        gone: changedSet(gone, [...left].filter(isShown), listed),
        unasked: changedSet(unasked, isFiltered ? arrived : [], left),
      };
    });
    const changed = [...listed].filter(isShown);
    if (changed.length > 0) void readAgain(changed);
  };
  const latest = useRef({ take, askOfNew });
  useEffect(() => {
    latest.current = { take, askOfNew };
  });
  useEffect(() => onOrdersChanged((changes) => latest.current.take(changes)), []);
  const hasUnasked = found.unasked.size > 0;
  useEffect(() => {
    if (!hasUnasked) return undefined;
    const timer = setInterval(() => {
      // A hidden tab reads no orders.
      if (!document.hidden) void latest.current.askOfNew();
    }, ASK_EVERY_MS);
    return () => clearInterval(timer);
  }, [hasUnasked]);

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

const nothing = (view: string): Found => ({ view, news: NONE, gone: NONE, unasked: NONE });
