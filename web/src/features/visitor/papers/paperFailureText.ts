import { Refusal } from '@/api/Refusal';
import type { Locale } from '@/i18n/texts';
import { localeTag } from '@/i18n/format';
import type { Language } from '@/i18n/languages';
import { failureText } from '../failureText';
import { MAX_FILE_BYTES } from '../limits';
import type { PaperTexts } from './paperTexts';

/**
 * The types that the file pickers offer. Because of this list an iPhone converts its pictures to
 * JPEG.
 */
export const ACCEPTED = 'image/jpeg,image/png,application/pdf';

/** Why a file would be refused, before it is sent; null if nothing speaks against it. */
export function refusalOf({ size, type }: File): Refusal | null {
  if (size > MAX_FILE_BYTES) return new Refusal(413, 'file_too_large', '');
  // Some systems do not know the type of a file. Then the server looks into it.
  const isTaken = type === '' || ACCEPTED.split(',').includes(type);
  return isTaken ? null : new Refusal(422, 'not_pdf_or_image', '');
}

/** A text about the largest file, with its size. */
export const withSize = (text: string, language: Language) =>
  text.replace(
    '{size}',
    new Intl.NumberFormat(localeTag(language), {
      style: 'unit',
      unit: 'megabyte',
      unitDisplay: 'short',
    }).format(MAX_FILE_BYTES / 1024 / 1024),
  );

/** The texts of refusals by their code. */
const TEXTS: Record<string, Exclude<keyof PaperTexts, 'faults' | 'names'>> = {
  active_pdf: 'active',
  animated_picture: 'animated',
  damaged_pdf: 'damagedFile',
  damaged_picture: 'damagedFile',
  empty_file: 'damagedFile',
  encrypted_pdf: 'encrypted',
  file_too_complex: 'tooComplex',
  file_too_large: 'tooLarge',
  heic_photo: 'wrongFile',
  not_pdf_or_image: 'wrongFile',
  order_files_too_large: 'orderFull',
  paper_file_missing: 'fileMissing',
  paper_not_asked_for: 'notAskedFor',
  too_many_pages: 'tooComplex',
  too_many_pixels: 'tooComplex',
  too_many_uploads: 'tooManyUploads',
  unsupported_picture: 'wrongFile',
};

/** The text for a paper that was not sent: the server's message in English, our own in other languages. */
export function paperFailureText(error: unknown, locale: Locale, words: PaperTexts): string {
  if (!(error instanceof Refusal)) return failureText(error, locale);
  if (locale.language === 'en' && error.message) return error.message;
  // A proxy in between refuses a large file without a code.
  const name = TEXTS[error.status === 413 && !error.code ? 'file_too_large' : error.code];
  return name === undefined ? failureText(error, locale) : withSize(words[name], locale.language);
}
