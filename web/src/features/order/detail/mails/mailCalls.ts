import { queryOptions } from '@tanstack/react-query';
import type { AttemptHeaders } from '@/api/attempt';
import { answer, api, dataOf } from '@/api/client';
import type { OrderDetails } from '@/api/types';
import { ORDER } from '../../orderQueries';

/** A mail about an order: its recipient and its provider. */
export interface SendMail {
  orderId: number;
  email: string;
  provider: MailProvider;
  headers: AttemptHeaders;
}

/** The providers as the API spells them. */
export type MailProvider = OrderDetails['mail_providers'][number];

export function resendMail({ orderId, email, provider, headers }: SendMail) {
  const body = { orderId, email, mailServiceProvider: provider };
  return answer(api.POST('/api/admin/resend-mail', { body, headers }));
}

export function sendDownloadMail({ orderId, email, headers }: SendMail) {
  const body = { orderId, email };
  return answer(api.POST('/api/admin/send-download-mail', { body, headers }));
}

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
