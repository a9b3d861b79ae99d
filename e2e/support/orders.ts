/** Orders that a test imports itself, so that it knows all their fields. */

/** An order as `visadesk import` takes it. Fields that are left out get the same defaults in each order. */
export interface KnownOrder {
  /** The sales site's own number. It is part of the order's name, so that tests find the row by it. */
  external_reference: string;
  full_name?: string;
  first_name?: string;
  last_name?: string;
  sex?: string;
  contact_email_address?: string;
  phone_number?: string;
  document_number?: string;
  processing_mode?: 'Regular Processing' | 'Priority Processing';
  processing_date?: string;
  process_status?: string;
  signature_name?: string;
  nationality?: string;
  passport_from?: string;
  date_of_birth?: string;
  date_of_expiry?: string;
  city?: string;
  refund_date?: string;
  payment?: object;
}

/** The order with all required fields. */
export function filledIn(order: KnownOrder): object {
  const reference = order.external_reference.toLowerCase();
  const email = `${reference}@traveller.example`;
  return {
    full_name: `Traveller ${order.external_reference}`,
    contact_email_address: email,
    user: { email },
    phone_number: '81234567890',
    country_code: '62',
    processing_mode: 'Regular Processing',
    nationality: 'Australia',
    visa_type: 'C1',
    process_status: 'New',
    ...order,
  };
}

/** `YYYY-MM-DD` of the given number of days from today. */
export function daysAhead(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}

/** `YYYY-MM-DD` of the given number of days from the agency's today. */
export function agencyDay(days: number): string {
  const at = new Date(Date.now() + days * 86_400_000);
  return new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Jakarta' }).format(at);
}

/** The year and the English month of a `YYYY-MM-DD`, as the URL of Future Order spells them. */
export function monthOf(day: string): { year: string; month: string } {
  const month = new Date(day).toLocaleDateString('en', { month: 'long', timeZone: 'UTC' });
  return { year: day.slice(0, 4), month };
}
