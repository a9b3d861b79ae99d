import { Refusal } from '@/api/Refusal';
import type { Locale, Texts } from '@/i18n/texts';
import { formatDuration } from '@/i18n/format';

/** The text for a failure: the server's message in English, our own in other languages. */
export function failureText(error: unknown, { language, texts }: Locale): string {
  if (!(error instanceof Refusal)) return texts.unexpected;
  if (language === 'en' && error.message) return error.message;
  const wait = error.status === 429 && error.waitSeconds > 0;
  const words = textFor(error, texts);
  if (!wait) return words;
  const duration = formatDuration(error.waitSeconds, language);
  return `${words} ${texts.waitingTime.replace('{duration}', duration)}`;
}

type Name = Exclude<keyof Texts, 'downloads' | 'stages'>;

/** The texts of refusals by their code. */
const TEXTS: Record<string, Name> = {
  application_not_found: 'notMatching',
  email_not_confirmed: 'confirmAgain',
  mailed_link_invalid: 'linkInvalid',
  tracked_email_missing: 'emailMissing',
  tracked_order_missing: 'orderIdMissing',
  tracking_code_missing: 'codeMissing',
  tracking_code_wrong: 'codeWrong',
  visa_not_found: 'noFile',
};

function textFor({ status, code }: Refusal, texts: Texts): string {
  const name = TEXTS[code];
  if (name !== undefined) return texts[name];
  if (status === 0) return texts.offline;
  if (status === 429) return texts.tooMany;
  if (status === 502 || status === 503 || status === 504) return texts.unavailable;
  return status < 500 ? texts.checkEntries : texts.unexpected;
}
