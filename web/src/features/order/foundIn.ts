import type { FoundOrder } from '@/api/types';

type Place = NonNullable<FoundOrder['found_in']>;

const TEXTS: Record<Place, string | undefined> = {
  name: undefined,
  email: undefined,
  order_number: undefined,
  account_email: 'In the account’s email',
  telephone: 'In the telephone number',
  passport_number: 'In the passport number',
  comment: 'In a comment',
};

/** Says where a search found its text in an order; nothing where the order shows it. */
export function placeText(place: Place | null | undefined): string | undefined {
  return place ? TEXTS[place] : undefined;
}
