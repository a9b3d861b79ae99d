import * as z from 'zod/mini';
import { dayOf, isDayOrEmpty, NO_DAY, shifted } from '@/ui/dateText';
import type { Chargeback, ChargebackTerms } from '@/api/types';

/** The fields of the chargeback form, as typed. */
export const chargebackForm = z.object({
  network: z.string(),
  reasonGroup: z.string(),
  reasonCode: z.string().check(z.trim()),
  caseId: z.string().check(z.trim()),
  amount: z
    .string()
    .check(z.trim(), z.regex(/^(\d+(\.\d{1,3})?)?$/, 'Please enter an amount such as 119.00')),
  currency: z
    .string()
    .check(
      z.trim(),
      z.toUpperCase(),
      z.regex(/^([A-Z]{3})?$/, 'Please enter three letters such as USD'),
    ),
  arn: z.string().check(z.trim()),
  openedOn: z
    .string()
    .check(z.minLength(1, 'Please enter the day it was opened'), z.refine(isDayOrEmpty, NO_DAY)),
  respondBy: z.string().check(z.refine(isDayOrEmpty, NO_DAY)),
  outcome: z.string(),
});

export type ChargebackFields = z.infer<typeof chargebackForm>;

export function fieldsOf(record: Chargeback): ChargebackFields {
  return {
    network: record.network,
    reasonGroup: record.reason_group ?? '',
    reasonCode: record.reason_code ?? '',
    caseId: record.case_id ?? '',
    amount: record.amount ?? '',
    currency: record.currency ?? '',
    arn: record.arn ?? '',
    openedOn: record.opened_on,
    respondBy: record.respond_by,
    outcome: record.outcome,
  };
}

/** The request that saves the fields over the record of `updated_at`: the server refuses to overwrite a newer one. */
export function bodyOf(orderId: number, fields: ChargebackFields, updated_at: string) {
  return {
    ...fields,
    orderId,
    network: fields.network as Chargeback['network'],
    outcome: fields.outcome as Chargeback['outcome'],
    reasonGroup: (fields.reasonGroup || null) as Chargeback['reason_group'],
    updated_at,
  };
}

type Dates = Pick<ChargebackFields, 'network' | 'openedOn'>;

/** The network's last day, YYYY-MM-DD; empty where the terms have none. */
export function lastDayOf(
  terms: ChargebackTerms | undefined,
  { network, openedOn }: Dates,
): string {
  const days = terms?.networks.find((entry) => entry.network === network)?.days;
  return days === undefined ? '' : daysAfter(openedOn, days);
}

/** The working deadline: the earlier of the network's last day and ours. */
export function workingDay(terms: ChargebackTerms, fields: Dates & { respondBy: string }): string {
  const ours = daysAfter(fields.openedOn, terms.working_days);
  const theirs = dayOf(fields.respondBy) ?? lastDayOf(terms, fields);
  return theirs !== '' && theirs < ours ? theirs : ours;
}

function daysAfter(date: string, days: number): string {
  return dayOf(date) === null ? '' : shifted(date, days);
}
