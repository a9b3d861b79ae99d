import { z } from 'zod/mini';
import type { CannedText, OrderDetails, SaveCannedText } from '@/api/types';
import { languages } from '@/i18n/languages';
import { personName } from '../detail/personName';

/** The places where texts are used, with the words of the form. */
export const PURPOSES = [
  ['comment', 'Comment'],
  ['whatsapp', 'WhatsApp'],
] as const;

const MAX_TEXT = 1500;
const TOO_LONG = `Please use at most ${MAX_TEXT} characters`;

const text = z.string().check(z.trim(), z.maxLength(MAX_TEXT, TOO_LONG));

/** The fields of a text. The server checks what it names in braces. */
export const cannedTextFields = z.object({
  purpose: z.enum(['comment', 'whatsapp']),
  title: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, 'Please give the text a name'),
      z.maxLength(60, 'Please use at most 60 characters'),
    ),
  texts: z.record(z.string(), text).check(
    z.refine((texts) => (texts['en'] ?? '') !== '', {
      error: 'Please write the text in English',
      path: ['en'],
    }),
  ),
  shared: z.boolean(),
});

export type CannedTextFields = z.infer<typeof cannedTextFields>;

/** The fields of a known text, or of a new one. */
export function fieldsOf(known: CannedText | null): CannedTextFields {
  const texts = languages.map((language) => [language, known?.texts[language] ?? '']);
  return {
    purpose: known?.purpose ?? 'comment',
    title: known?.title ?? '',
    texts: Object.fromEntries(texts),
    shared: known?.shared ?? false,
  };
}

/** The request that saves the fields. Colleagues read comments, in English. */
export function bodyOf(known: CannedText | null, fields: CannedTextFields): SaveCannedText {
  const written = Object.entries(fields.texts).filter(
    ([language, text]) => text !== '' && (fields.purpose === 'whatsapp' || language === 'en'),
  );
  return { ...fields, id: known?.id ?? null, texts: Object.fromEntries(written) };
}

/** The text with the order's own values. A name in braces stays where the order has no value, for the member to see. */
export function filled(text: string, order: OrderDetails, language: string): string {
  const arrival = order.arrival_date;
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' });
  const values: Record<string, string | null | undefined> = {
    name: personName(order.full_name),
    order: order.order_number,
    visa: order.issued_type?.label ?? order.visa_type,
    arrival: arrival && day.format(new Date(arrival)),
  };
  return text.replaceAll(/\{(\w+)\}/g, (named, name: string) => values[name] || named);
}
