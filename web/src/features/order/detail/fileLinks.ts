import { useQueryClient } from '@tanstack/react-query';
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

/** The age of the order's signed links, and a way to have them signed anew. */
export function useFileLinks(orderId: number) {
  const queries = useQueryClient();
  return useMemo(() => {
    const { queryKey } = orderDetailsQuery(orderId);
    return {
      areStale: () => {
        const signedAt = queries.getQueryState(queryKey)?.dataUpdatedAt ?? 0;
        return now().getTime() - signedAt > LINK_LIFE_MS;
      },
      /** Loads the order anew; answers it. */
      renew: async () => {
        await queries.refetchQueries({ queryKey, exact: true }, { cancelRefetch: false });
        return queries.getQueryData(queryKey);
      },
    };
  }, [queries, orderId]);
}
