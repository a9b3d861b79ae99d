import { Refusal } from '@/api/Refusal';
import type { Locale } from '@/i18n/texts';
import { failureText } from '../failureText';
import type { PaperTexts } from './paperTexts';

/** The largest file that the server takes. */
const MAX_BYTES = 20 * 1024 * 1024;
/**
 * The types that the file pickers offer. Because of this list an iPhone converts its pictures to
 * JPEG.
 */
export const ACCEPTED = 'image/jpeg,image/png,application/pdf';

/** Why a file would be refused, before it is sent; null if nothing speaks against it. */
export function refusalOf({ size, type }: File): Refusal | null {
  if (size > MAX_BYTES) return new Refusal(413, 'file_too_large', '');
  // Some systems do not know the type of a file. Then the server looks into it.
  const isTaken = type === '' || ACCEPTED.split(',').includes(type);
  return isTaken ? null : new Refusal(422, 'not_pdf_or_image', '');
}

/** The text for a paper that was not sent: the server's message in English, our own in other languages. */
export function paperFailureText(error: unknown, locale: Locale, words: PaperTexts): string {
  if (!(error instanceof Refusal)) return failureText(error, locale);
  if (locale.language === 'en' && error.message) return error.message;
  if (error.status === 413) return words.tooLarge;
  if (isOtherKind(error.code)) return words.wrongFile;
  if (error.code === 'damaged_picture' || error.code === 'empty_file') return words.damagedFile;
  if (error.code === 'paper_not_asked_for') return words.notAskedFor;
  if (error.code === 'too_many_uploads') return words.tooManyUploads;
  return failureText(error, locale);
}

function isOtherKind(code: string): boolean {
  return ['not_pdf_or_image', 'heic_photo', 'unsupported_picture'].includes(code);
}
