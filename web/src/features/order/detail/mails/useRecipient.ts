import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import type { OrderDetails } from '@/api/types';
import { draftOf, keepDraft } from '@/session/drafts';

const recipientForm = z.object({
  email: z
    .string()
    .check(z.trim(), z.minLength(1, 'Please enter your email'), z.email('Invalid email address')),
});

/** The address of all mails about the order. A typed one is kept as a draft until a mail has gone to it. */
export function useRecipient(staffId: number, order: OrderDetails) {
  const { order_id: orderId, contact_email_address: own } = order;
  const [draft] = useState(() => draftOf<{ email: string }>('recipient', staffId, orderId));
  const { register, watch, trigger, subscribe, getValues, setValue, formState } = useForm({
    mode: 'all',
    resolver: zodResolver(recipientForm),
    defaultValues: { email: draft?.email ?? own },
  });
  const typed = watch('email');
  const former = useRef(own);
  // A correction of the order's address is followed, unless another address was typed.
  useEffect(() => {
    const isFormer = getValues('email').trim() === former.current;
    former.current = own;
    if (isFormer) setValue('email', own);
  }, [own, getValues, setValue]);
  useEffect(
    () =>
      subscribe({
        formState: { values: true },
        callback: ({ values }) => {
          keepDraft('recipient', staffId, orderId, values.email === own ? null : values);
        },
      }),
    [subscribe, staffId, orderId, own],
  );
  return {
    field: register('email'),
    error: formState.errors.email?.message,
    hint: unknownRecipientHint(order, typed),
    /** The address, or null when it is not valid: the field then says why, and has the focus. */
    take: async (): Promise<string | null> =>
      (await trigger('email', { shouldFocus: true })) ? typed.trim() : null,
    /** Removes the draft: the mail is on its way. */
    dropDraft: () => keepDraft('recipient', staffId, orderId, null),
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
