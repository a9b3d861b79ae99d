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

function textFor({ status, code }: Refusal, texts: Texts): string {
  if (code === 'email_not_confirmed') return texts.confirmAgain;
  if (code === 'application_not_found') return texts.notMatching;
  if (code === 'tracking_code_wrong') return texts.codeWrong;
  if (code === 'mailed_link_invalid') return texts.linkInvalid;
  if (code === 'visa_not_found') return texts.noFile;
  if (status === 0) return texts.offline;
  if (status === 429) return texts.tooMany;
  if (status === 502 || status === 503 || status === 504) return texts.unavailable;
  return status < 500 ? texts.checkEntries : texts.unexpected;
}
