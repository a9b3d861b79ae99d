import { Refusal } from '@/api/Refusal';
import type { Locale, Texts } from '@/i18n/texts';
import { formatDuration } from '@/i18n/format';

/** The visitor's action, on which the meaning of a status depends. */
export type Attempt = 'track' | 'look' | 'download';

/** The text for a failure: the server's message in English, our own in other languages. */
export function failureText(error: unknown, attempt: Attempt, { language, texts }: Locale): string {
  if (!(error instanceof Refusal)) return texts.unexpected;
  if (language === 'en' && error.message) return error.message;
  const wait = error.code === 429 && error.waitSeconds > 0;
  const words = textFor(error.code, attempt, texts);
  if (!wait) return words;
  const duration = formatDuration(error.waitSeconds, language);
  return `${words} ${texts.waitingTime.replace('{duration}', duration)}`;
}

function textFor(code: number, attempt: Attempt, texts: Texts): string {
  if (code === 0) return texts.offline;
  if (code === 401) return texts.confirmAgain;
  if (code === 404) return attempt === 'download' ? texts.noFile : texts.notMatching;
  if (code === 429) return texts.tooMany;
  if (code === 502 || code === 503 || code === 504) return texts.unavailable;
  return code < 500 ? texts.checkEntries : texts.unexpected;
}
