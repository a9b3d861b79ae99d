import type { OrderDetails } from '@/api/types';

/** A word of care where a mail would go to somebody whom the order does not name. */
export function strangeAddressHint(
  { contact_email_address, user }: Pick<OrderDetails, 'contact_email_address' | 'user'>,
  typed: string,
): string | undefined {
  const address = typed.trim().toLowerCase();
  const own = [contact_email_address, user.email ?? ''].map((email) => email.toLowerCase());
  return address === '' || own.includes(address)
    ? undefined
    : 'This is not an address of the application.';
}
