const DAY_MS = 86_400_000;

/** The day `DD-MM-YYYY` of an ISO day; any other text as it is. */
export function dateText(value: string): string {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value);
  return parts ? `${parts[3]}-${parts[2]}-${parts[1]}` : value;
}

/** The ISO day of a text such as 31-12-2026, 31.12.2026 or 31122026; null when it is none. */
export function dayOf(text: string): string | null {
  const trimmed = text.trim();
  const iso = /^(\d{4})-(\d{2})-(\d{2})$/.exec(trimmed);
  const own = /^(\d{1,2})[-./ ](\d{1,2})[-./ ](\d{4})$|^(\d{2})(\d{2})(\d{4})$/.exec(trimmed);
  const [year, month, day] = iso
    ? [iso[1], iso[2], iso[3]]
    : own
      ? [own[3] ?? own[6], own[2] ?? own[5], own[1] ?? own[4]]
      : [];
  if (!year || !month || !day) return null;
  const written = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const at = Date.parse(`${written}T00:00:00Z`);
  // 31-02 would be a day of March.
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(written) ? written : null;
}

/** The message of a form for a text that is no day. */
export const NO_DAY = 'Please enter a day such as 31-12-2026';

/** Returns true if the value of a date field is a day or empty. */
export function isDayOrEmpty(value: string): boolean {
  return value === '' || dayOf(value) !== null;
}

/** A text that is being typed, with its dashes. */
export function withDashes(text: string): string {
  const parts = /^(\d{2})-*(\d{2})?-*(\d{1,4})?$/.exec(text);
  if (!parts) return text;
  const [, day, month, year] = parts;
  return month === undefined
    ? `${day}-${text.slice(2).replaceAll('-', '')}`
    : `${day}-${month}-${year ?? ''}`;
}

/** The ISO day so many days after one. */
export function shifted(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}
