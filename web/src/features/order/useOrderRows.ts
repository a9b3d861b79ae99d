import { useQueries, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import type { OrderSummary } from '@/api/types';
import { orderPageQuery, type OrderPageRequest } from './orderQueries';
import type { Limit } from './useListParams';

/** "All" comes in pages of this size. */
const ALL_PAGE_SIZE = 500;
/** A list of up to 5,000 rows is fetched whole; of a longer one only what is looked at. */
const PAGES_FETCHED_AHEAD = 10;

export interface OrderRowsRequest extends Omit<OrderPageRequest, 'limit'> {
  limit: Limit;
}

export interface OrderRows {
  /** The rows to show; undefined for one that is still on its way. */
  rows: readonly (OrderSummary | undefined)[];
  total: number;
  isLoading: boolean;
  /** Whether the rows are those of the page before. */
  isStale: boolean;
  error: Error | null;
  refetch: () => void;
  /** To be told which rows are on screen. */
  onRange: (first: number, last: number) => void;
}

const NO_ROWS: readonly undefined[] = [];

/** The rows of one page, or of the whole list when the limit is All. */
export function useOrderRows(request: OrderRowsRequest, userName: string): OrderRows {
  const isAll = request.limit === 'All';
  const pageRequest = (page: number): OrderPageRequest => ({
    ...request,
    page,
    limit: request.limit === 'All' ? ALL_PAGE_SIZE : request.limit,
  });

  const first = useQuery(orderPageQuery(pageRequest(isAll ? 1 : request.page), userName));
  const total = first.data?.total ?? 0;

  const [looked, setLooked] = useState<readonly number[]>([]);
  const onRange = useCallback((from: number, to: number) => {
    const pages = [from, to].map((index) => Math.floor(index / ALL_PAGE_SIZE) + 1);
    setLooked((before) => {
      const added = pages.filter((page) => page > PAGES_FETCHED_AHEAD && !before.includes(page));
      return added.length > 0 ? [...new Set([...before, ...added])] : before;
    });
  }, []);

  const pageCount = isAll ? Math.ceil(total / ALL_PAGE_SIZE) : 1;
  const ahead = Math.min(pageCount, PAGES_FETCHED_AHEAD);
  const wanted = [
    ...Array.from({ length: Math.max(ahead - 1, 0) }, (_, index) => index + 2),
    ...looked.filter((page) => page <= pageCount),
  ];
  const rest = useQueries({
    queries: wanted.map((page) => orderPageQuery(pageRequest(page), userName)),
    combine: (results) => ({
      pages: results.map(({ data }) => data),
      error: results.find(({ error }) => error)?.error ?? null,
    }),
  });

  const rows = useMemo(() => {
    if (!first.data) return NO_ROWS;
    if (!isAll) return first.data.data;
    const all = Array<OrderSummary | undefined>(first.data.total);
    for (const page of [first.data, ...rest.pages]) {
      page?.data.forEach((row, index) => {
        all[(page.page - 1) * ALL_PAGE_SIZE + index] = row;
      });
    }
    return all;
  }, [first.data, rest.pages, isAll]);

  return {
    rows,
    total,
    isLoading: first.isPending,
    isStale: first.isPlaceholderData,
    error: first.error ?? rest.error,
    refetch: first.refetch,
    onRange,
  };
}
