import { queryOptions } from '@tanstack/react-query';
import { answer, api } from '@/api/client';
import type { OrderDetails } from '@/api/types';
import { ORDER } from '../../orderQueries';

/** A mail about an order: recipient, provider and idempotency key. */
export interface SendMail {
  orderId: number;
  email: string;
  provider: MailProvider;
  key: string;
}

/** The providers as the API spells them. */
export type MailProvider = OrderDetails['mail_providers'][number];

/** Each of these returns the server's message. */
export async function resendMail({ orderId, email, provider, key }: SendMail): Promise<string> {
  const body = { orderId, email, mailServiceProvider: provider };
  const headers = { 'Idempotency-Key': key };
  return (await answer(api.POST('/api/admin/resend-mail', { body, headers }))).message;
}

export async function sendDownloadMail({ orderId, email, key }: SendMail): Promise<string> {
  const body = { orderId, email };
  const headers = { 'Idempotency-Key': key };
  return (await answer(api.POST('/api/admin/send-download-mail', { body, headers }))).message;
}

/** Revokes the links in the order's mails. Returns the server's message. */
export async function revokeMailedLinks(orderId: number): Promise<string> {
  const body = { orderId };
  return (await answer(api.PUT('/api/admin/revoke-mailed-links', { body }))).message;
}

/** The approval mail of an order, or its preview. */
export function emailContentQuery(orderId: number) {
  return queryOptions({
    queryKey: [...ORDER, 'email-content', orderId],
    queryFn: async ({ signal }) => {
      const params = { path: { orderId: String(orderId) } };
      return (await answer(api.GET('/api/admin/get-email-content/{orderId}', { params, signal })))
        .data;
    },
    gcTime: 0,
    // The frame would reload: every answer signs a new link.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}
