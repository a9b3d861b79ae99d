import { queryOptions } from '@tanstack/react-query';
import { answer, api, dataOf } from '@/api/client';
import type { OrderDetails } from '@/api/types';
import { ORDER } from '../../orderQueries';

/** The providers as the API spells them. */
export type MailProvider = OrderDetails['mail_providers'][number];

export function revokeMailedLinks(orderId: number) {
  const body = { orderId };
  return answer(api.PUT('/api/admin/revoke-mailed-links', { body }));
}

/** The approval mail of an order, or its preview. */
export function emailContentQuery(orderId: number) {
  return queryOptions({
    queryKey: [...ORDER, 'email-content', orderId],
    queryFn: ({ signal }) => {
      const params = { path: { orderId: String(orderId) } };
      return dataOf(api.GET('/api/admin/get-email-content/{orderId}', { params, signal }));
    },
    gcTime: 0,
    // The frame would reload: every answer signs a new link.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}
