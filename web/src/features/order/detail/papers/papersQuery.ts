import { queryOptions } from '@tanstack/react-query';
import { api, dataOf } from '@/api/client';
import type { components } from '@/api/schema';
import { ORDER } from '../../orderQueries';

/** The papers of an order, with what the applicant was asked for. */
export type Desk = components['schemas']['OrderPapers'];

/** A check takes some seconds, and longer behind others. */
const POLL_MS = 3_000;

export function papersQuery(orderId: number) {
  return queryOptions({
    queryKey: [...ORDER, 'papers', orderId],
    queryFn: ({ signal }) => {
      const params = { path: { orderId: String(orderId) } };
      return dataOf(api.GET('/api/admin/order-papers/{orderId}', { params, signal }));
    },
    staleTime: 10_000,
    refetchInterval: ({ state: { data } }) =>
      data?.checks.some(({ state }) => state === 'pending') ? POLL_MS : false,
  });
}
