import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { OrderDetails } from '@/api/types';
import { now } from '@/ui/clock';
import { orderDetailsQuery } from './orderDetailsQuery';

/** Leaves time to open a link before it ends. */
const MARGIN_S = 20;

/** The signed link of a stored file of the order. */
export function linkOf(order: OrderDetails, file1: string): string | undefined {
  const files = [
    ...order.documents,
    ...order.uploadDoc,
    ...order.downloadHistory,
    ...order.mailHistory.map(({ uploadDoc }) => uploadDoc),
  ];
  return files.find((file) => file.file1 === file1)?.link ?? undefined;
}

/**
 * Returns a check of whether the signed links in a query's data are stale, and a way to renew them.
 */
export function useSignedLinks<Data extends { links_valid_for_seconds: number }>(
  query: (orderId: number) => { queryKey: QueryKey },
  orderId: number,
) {
  const queries = useQueryClient();
  return useMemo(() => {
    const { queryKey } = query(orderId);
    const areStale = () => {
      const state = queries.getQueryState<Data>(queryKey);
      if (!state?.data) return true;
      const limit = state.data.links_valid_for_seconds - MARGIN_S;
      return now().getTime() - state.dataUpdatedAt > limit * 1000;
    };
    return {
      areStale,
      /** Refetches the query and returns its data. */
      renew: async () => {
        await queries.refetchQueries({ queryKey, exact: true }, { cancelRefetch: false });
        return queries.getQueryData<Data>(queryKey);
      },
    };
  }, [queries, query, orderId]);
}

/** The same for the files of the order details. */
export function useFileLinks(orderId: number) {
  return useSignedLinks<OrderDetails>(orderDetailsQuery, orderId);
}
