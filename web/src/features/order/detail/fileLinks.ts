import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { OrderDetails } from '@/api/types';
import { now } from '@/ui/clock';
import { orderDetailsQuery } from './orderDetailsQuery';

/** The server's links are valid for five minutes. The margin leaves time to open one. */
const LINK_LIFE_MS = 280_000;

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

/** Whether the signed links in a query's data are stale, and a way to renew them. */
export function useSignedLinks<Data>(
  query: (orderId: number) => { queryKey: QueryKey },
  orderId: number,
) {
  const queries = useQueryClient();
  return useMemo(() => {
    const { queryKey } = query(orderId);
    const areStale = () => {
      const signedAt = queries.getQueryState(queryKey)?.dataUpdatedAt ?? 0;
      return now().getTime() - signedAt > LINK_LIFE_MS;
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
