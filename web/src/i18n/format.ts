import type { Language } from './languages';

/** Latin digits everywhere: ids, dates and addresses are shown side by side. */
export function localeTag(language: Language): string {
  return `${language}-u-nu-latn`;
}

/** `40 seconds`, `2 minutes`: rounded up, so that the visitor does not retry too early. */
export function formatDuration(seconds: number, language: Language): string {
  const [amount, unit] = seconds < 60 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute'];
  const format = { style: 'unit', unit, unitDisplay: 'long' } as const;
  return new Intl.NumberFormat(localeTag(language), format).format(amount);
}
