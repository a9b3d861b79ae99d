import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { OrderDetails } from '@/api/types';
import { notifyFailure } from '@/session/notifyFailure';
import type { OlderEntries } from '@/ui/ShowOlder';
import { FIELDS, historyQuery, type HistoryName, type HistoryRow } from './historyQuery';

/** The field of the details with the number of all rows. */
const TOTALS = {
  mails: 'mailTotal',
  downloads: 'downloadTotal',
  remarks: 'remark_total',
  timeline: undefined,
  tries: 'failed_tries_total',
} as const;

/** A history as far as it is loaded. */
export interface History<Row> {
  /** The newest last; first in the timeline. */
  rows: readonly Row[];
  /** The number of all rows; undefined if it is not known. */
  total?: number | undefined;
  older: OlderEntries;
}

/** The rows of a history in the details, and the older ones that were loaded on demand. */
export function useHistory<Name extends HistoryName>(
  order: OrderDetails,
  name: Name,
): History<HistoryRow<Name>> {
  const before = order.older[name] ?? undefined;
  const query = useInfiniteQuery(historyQuery(order.order_id, name, before));
  const { data, isError, hasNextPage, isFetching, refetch, fetchNextPage } = query;
  const [base, setBase] = useState(order);
  // A new row moves the end of the details: the older ones no longer begin there, and are loaded again.
  const isAttached = data?.pages[0]?.before === before;
  const movedTo = data && !isAttached && !isError ? before : undefined;
  const isBehind = movedTo !== undefined;
  useEffect(() => {
    if (movedTo !== undefined) void refetch();
  }, [movedTo, refetch]);
  // Until they are there, the history stays as it was, so that no rows are missing in its middle.
  if (base !== order && !isBehind) setBase(order);
  const details = isBehind ? base : order;
  const pages = data && (isAttached || isBehind) ? data.pages : [];

  const add = async (retry: () => void): Promise<number | undefined> => {
    const loaded = await (data && isAttached ? fetchNextPage() : refetch());
    if (!loaded.error) return loaded.data?.pages.at(-1)?.[FIELDS[name]]?.length;
    const action = { label: 'Try again', onClick: retry };
    notifyFailure(loaded.error, { id: `older ${name}`, action });
    return undefined;
  };
  const total = TOTALS[name];
  const newest: readonly HistoryRow<Name>[] = details[FIELDS[name]];
  const older = pages.map((page): readonly HistoryRow<Name>[] => page[FIELDS[name]] ?? []);
  return {
    rows: name === 'timeline' ? [newest, ...older].flat() : [...older.toReversed(), newest].flat(),
    total: total && details[total],
    older: { exist: pages.length > 0 ? hasNextPage : before !== undefined, busy: isFetching, add },
  };
}
