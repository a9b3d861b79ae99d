import { z } from 'zod/mini';
import type { PaperReason, SavePaperReason } from '@/api/types';
import { languages, type Language } from '@/i18n/languages';

/** The states that a reason explains, with the words of the form. */
export const STATES = [
  ['missing', 'Missing'],
  ['unreadable', 'Unreadable'],
  ['wrong', 'Wrong'],
  ['expired', 'Expired'],
] as const;

/** The papers that reasons may be about alone. */
export const KINDS = [
  ['passport', 'Passport'],
  ['recent_photo', 'Photograph'],
  ['bank_statement', 'Bank statement'],
] as const;

const MAX_TEXT = 300;
const TOO_LONG = `Please use at most ${MAX_TEXT} characters`;

const text = z.string().check(z.trim(), z.maxLength(MAX_TEXT, TOO_LONG));

/** The fields of a reason. Languages without a text read the English one. */
export const reasonFields = z.object({
  state: z.enum(['missing', 'unreadable', 'wrong', 'expired']),
  kinds: z.array(z.string()),
  texts: z.record(z.string(), text).check(
    z.refine((texts) => (texts['en'] ?? '') !== '', {
      error: 'Please write the reason in English',
      path: ['en'],
    }),
  ),
});

export type ReasonFields = z.infer<typeof reasonFields>;

/** The fields of a known reason, or of a new one. */
export function fieldsOf(reason: PaperReason | null): ReasonFields {
  const texts = languages.map((language) => [language, reason?.texts[language] ?? '']);
  const state = STATES.find(([state]) => state === reason?.state)?.[0] ?? 'wrong';
  return { state, kinds: reason?.kinds ?? [], texts: Object.fromEntries(texts) };
}

/** The request that saves the fields. */
export function bodyOf(
  reason: PaperReason | null,
  { state, kinds, texts }: ReasonFields,
  archived: boolean,
): SavePaperReason {
  const written = languages.flatMap((language: Language) =>
    texts[language] ? [[language, texts[language]]] : [],
  );
  return { code: reason?.code ?? null, state, kinds, texts: Object.fromEntries(written), archived };
}

/** The papers that a reason is about, in words. */
export function papersOf({ kinds }: Pick<PaperReason, 'kinds'>): string {
  const labels = kinds.map((kind) => KINDS.find(([known]) => known === kind)?.[1] ?? kind);
  return labels.length === 0 ? 'All documents' : labels.join(', ');
}
