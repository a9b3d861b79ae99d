import * as z from 'zod/mini';
import { upload, type UploadOptions } from '@/api/upload';
import type { MailProvider } from '../mails/mailCalls';

/** The media types that the server accepts. */
const TYPES = new Set(['application/pdf', 'image/jpeg', 'image/png', 'image/webp', 'image/gif']);
/** For systems that do not know the media type of a file. */
const ENDINGS = /\.(pdf|jpe?g|png|webp|gif)$/i;
const MOST_BYTES = 20 * 1024 * 1024;

/** The types that the file picker offers. */
export const ACCEPTED = 'application/pdf,image/*';

export const visaUpload = z.object({
  email: z
    .string()
    .check(z.trim(), z.minLength(1, 'Please enter your email'), z.email('Invalid email address')),
  file: z.nullable(z.instanceof(File)).check(
    z.refine((file) => file !== null, 'File is required'),
    z.refine((file) => file === null || isTaken(file), 'Only PDF or image files are allowed'),
    z.refine((file) => file === null || file.size > 0, 'The file is empty'),
    z.refine(
      (file) => file === null || file.size <= MOST_BYTES,
      'The file is larger than 20 MB. Please make it smaller first',
    ),
  ),
});

export type VisaUpload = z.infer<typeof visaUpload>;

function isTaken({ type, name }: File): boolean {
  return type === '' ? ENDINGS.test(name) : TYPES.has(type);
}

/** Uploads the visa of an order and has it mailed; answers the server's message. */
export async function uploadVisa(
  orderId: number,
  { email, file }: VisaUpload,
  provider: MailProvider,
  options: UploadOptions,
): Promise<string> {
  const form = new FormData();
  form.set('orderId', String(orderId));
  form.set('email', email);
  form.set('mailServiceProvider', provider);
  // The file comes last, so that the server can refuse the other fields before receiving it.
  if (file) form.set('uploadVisaDoc', file);
  return (await upload('/api/admin/upload-visa-document', form, options)).message;
}
