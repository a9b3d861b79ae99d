import * as z from 'zod/mini';
import type { OrderDetails } from '@/api/types';
import { useDraftedForm } from '@/session/useDraftedForm';

const recipientForm = z.object({
  email: z
    .string()
    .check(z.trim(), z.minLength(1, 'Please enter your email'), z.email('Invalid email address')),
});

/**
 * The address of all emails about the order. It follows a correction of the order's address, unless another one was
 * typed, which is kept as a draft until an email has gone to it.
 */
export function useRecipient(order: OrderDetails) {
  const form = useDraftedForm({
    name: 'recipient',
    about: order.order_id,
    schema: recipientForm,
    saved: { email: order.contact_email_address },
  });
  const { fieldOf, watch, trigger, restored, dropDraft } = form;
  const typed = watch('email');
  return {
    field: fieldOf('email'),
    hint: unknownRecipientHint(order, typed),
    restored,
    /** The address, or null when it is not valid: the field then says why, and has the focus. */
    take: async (): Promise<string | null> =>
      (await trigger('email', { shouldFocus: true })) ? typed.trim() : null,
    /** Removes the draft: the mail is on its way. */
    dropDraft,
  };
}

export type Recipient = ReturnType<typeof useRecipient>;

/** A warning when a mail would go to an address that is not the order's. */
export function unknownRecipientHint(
  { contact_email_address, user }: Pick<OrderDetails, 'contact_email_address' | 'user'>,
  typed: string,
): string | undefined {
  const address = typed.trim().toLowerCase();
  const own = [contact_email_address, user.email ?? ''].map((email) => email.toLowerCase());
  return address === '' || own.includes(address)
    ? undefined
    : 'This address is not part of the application.';
}
