import type { OrderDetails } from '@/api/types';

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
