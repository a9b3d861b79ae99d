import * as z from 'zod/mini';
import { dayOf, isDayOrEmpty, NO_DAY } from '@/ui/dateText';
import { dayIn } from '@/ui/times';

/** From one day to another, both included, as `2026-11-20`. */
export interface Days {
  fromDate: string;
  toDate: string;
}

/** The period that a report may cover, with the server's messages. */
export const daysForm = z
  .object({
    fromDate: z
      .string()
      .check(z.minLength(1, 'Please choose the from date'), z.refine(isDayOrEmpty, NO_DAY)),
    toDate: z
      .string()
      .check(z.minLength(1, 'Please choose the to date'), z.refine(isDayOrEmpty, NO_DAY)),
  })
  .check(
    z.refine(({ fromDate, toDate }) => !dayOf(fromDate) || !dayOf(toDate) || fromDate <= toDate, {
      message: 'The from date is after the to date. Please choose an earlier from date',
      path: ['fromDate'],
    }),
  );

/** The period from the URL; by default this month up to today. */
export function readDays(search: URLSearchParams, now: Date, zone: string): Days {
  const today = dayIn(now, zone);
  return {
    fromDate: search.get('from') ?? `${today.slice(0, 8)}01`,
    toDate: search.get('to') ?? today,
  };
}
