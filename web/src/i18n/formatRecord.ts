// Separate from format.ts: the first page needs none of it.
import { localeTag } from './format';
import { LANGUAGES, type Language } from './languages';

/**
 * An instant in the reader's own zone, which is named: `20 November 2026 at 14:05 GMT+7`. In a language from right to
 * left it has digits alone, because a name of a month would turn the order of day and year around.
 */
export function formatInstant(iso: string, language: Language): string {
  const isTurned = LANGUAGES[language].direction === 'rtl';
  return new Intl.DateTimeFormat(isTurned ? 'en-GB' : localeTag(language), {
    day: 'numeric',
    month: isTurned ? '2-digit' : 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  }).format(new Date(iso));
}

/** The form of a counted text that this count asks for, filled in. */
export function counted(
  forms: Partial<Record<Intl.LDMLPluralRule, string>> & { other: string },
  count: number,
  language: Language,
): string {
  const form = forms[new Intl.PluralRules(language).select(count)] ?? forms.other;
  return form.replace('{count}', new Intl.NumberFormat(localeTag(language)).format(count));
}
