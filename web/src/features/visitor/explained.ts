import { Refusal } from '@/api/Refusal';
import type { Spoken, Texts } from '@/i18n/texts';
import { writtenDuration } from '@/i18n/written';

/** What a visitor was about to do: the same status means another thing there. */
export type Attempt = 'track' | 'look' | 'download';

/** Why something failed: in English in the server's own words, else in ours. */
export function explained(error: unknown, attempt: Attempt, { language, texts }: Spoken): string {
  if (!(error instanceof Refusal)) return texts.unexpected;
  if (language === 'en' && error.message) return error.message;
  const wait = error.code === 429 && error.waitSeconds > 0;
  const words = wordsFor(error.code, attempt, texts);
  if (!wait) return words;
  const duration = writtenDuration(error.waitSeconds, language);
  return `${words} ${texts.waitingTime.replace('{duration}', duration)}`;
}

function wordsFor(code: number, attempt: Attempt, texts: Texts): string {
  if (code === 0) return texts.offline;
  if (code === 401) return texts.confirmAgain;
  if (code === 404) return attempt === 'download' ? texts.noFile : texts.notMatching;
  if (code === 429) return texts.tooMany;
  if (code === 502 || code === 503 || code === 504) return texts.unavailable;
  return code < 500 ? texts.checkEntries : texts.unexpected;
}
