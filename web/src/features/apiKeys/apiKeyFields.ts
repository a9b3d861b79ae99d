import * as z from 'zod/mini';
import { isDayOrEmpty, NO_DAY } from '@/ui/dateText';
import type { AddApiKey, KeyRight } from '@/api/types';

/** Every right, in the order of the form, with its label. */
export const RIGHTS: readonly (readonly [KeyRight, string])[] = [
  ['orders', 'Create orders'],
  ['payments', 'Add payments'],
  ['documents', 'Add documents'],
  ['gateway', 'Read the gateway'],
];

const MAX_CALLS_PER_MINUTE = 100_000;

function isRate(text: string): boolean {
  const calls = Number(text);
  return text === '' || (Number.isInteger(calls) && calls >= 1 && calls <= MAX_CALLS_PER_MINUTE);
}

export const newApiKey = z.object({
  name: z.string().check(z.trim(), z.minLength(1, 'Please enter a name')),
  source: z.string().check(z.trim()),
  rights: z.array(z.string()).check(z.minLength(1, 'Please select at least one right')),
  expires: z.string().check(z.refine(isDayOrEmpty, NO_DAY)),
  networks: z.string().check(z.trim()),
  callsPerMinute: z
    .string()
    .check(z.trim(), z.refine(isRate, 'Please enter a whole number from 1 to 100,000')),
  strict: z.boolean(),
});

export type ApiKeyFields = z.infer<typeof newApiKey>;

export const NO_API_KEY: ApiKeyFields = {
  name: '',
  source: '',
  rights: RIGHTS.map(([right]) => right),
  expires: '',
  networks: '',
  callsPerMinute: '',
  strict: false,
};

export function bodyOf(fields: ApiKeyFields): AddApiKey {
  const { name, source, rights, expires, networks, callsPerMinute, strict } = fields;
  return {
    name,
    source: source || null,
    rights: RIGHTS.flatMap(([right]) => (rights.includes(right) ? [right] : [])),
    expires: expires || null,
    networks: networks || null,
    calls_per_minute: callsPerMinute === '' ? null : Number(callsPerMinute),
    strict,
  };
}
