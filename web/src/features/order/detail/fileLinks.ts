import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { OrderDetails } from '@/api/types';
import { now } from '@/ui/clock';
import { orderDetailsQuery } from './orderDetailsQuery';

/** The server signs links for five minutes. The last seconds are left out: opening takes time too. */
const LINK_LIFE_MS = 280_000;

/** The signed link of a stored file, wherever the order names it. */
export function linkOf(order: OrderDetails, file1: string): string | undefined {
  const files = [
    ...order.documents,
    ...order.uploadDoc,
    ...order.downloadHistory,
    ...order.mailHistory.map(({ uploadDoc }) => uploadDoc),
  ];
  return files.find((file) => file.file1 === file1)?.link ?? undefined;
}

/** The age of the signed links in what a query about an order answers, and a way to have them signed anew. */
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
      /** Asks anew; answers what came. */
      renew: async () => {
        await queries.refetchQueries({ queryKey, exact: true }, { cancelRefetch: false });
        return queries.getQueryData<Data>(queryKey);
      },
    };
  }, [queries, query, orderId]);
}

/** The same for the files that the order itself names. */
export function useFileLinks(orderId: number) {
  return useSignedLinks<OrderDetails>(orderDetailsQuery, orderId);
}
