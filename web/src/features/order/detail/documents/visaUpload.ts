import * as z from 'zod/mini';
import type { OrderDetails } from '@/api/types';
import { formatDecimal } from '@/ui/numbers';
import { ApiError } from '@/api/ApiError';
import { answer, api, type Envelope } from '@/api/client';
import { upload, type UploadOptions } from '@/api/upload';
import type { ActionResult } from '../../actions/orderCalls';
import type { MailProvider } from '../mails/mailCalls';

type VisaUploadLimits = OrderDetails['visa_upload_limits'];

/** For systems that do not know the media type of a file. */
const ENDINGS = /\.(pdf|jpe?g|png|webp|gif)$/i;

/** The types that the file picker offers. */
export const ACCEPTED = 'application/pdf,image/*';

/** The limit as the server's messages write it: `20 MB`. */
export const limitText = (bytes: number) => `${formatDecimal(bytes / 1024 / 1024)} MB`;

/** The form, with the limits that the server sends with the order. */
export function visaUpload({ max_bytes, media_types }: VisaUploadLimits) {
  const isTaken = ({ type, name }: File) =>
    type === '' ? ENDINGS.test(name) : media_types.some((accepted) => accepted === type);
  return z.object({
    file: z.nullable(z.instanceof(File)).check(
      z.refine((file) => file !== null, 'File is required'),
      z.refine((file) => file === null || isTaken(file), 'Only PDF or image files are allowed'),
      z.refine((file) => file === null || file.size > 0, 'The file is empty'),
      z.refine(
        (file) => file === null || file.size <= max_bytes,
        `The file is larger than ${limitText(max_bytes)}. Please make it smaller first`,
      ),
    ),
  });
}

/** The reason to deliver a visa although it differs. */
export const REASON_HINT =
  'Why this is the right visa although it differs. It goes into the audit.';
export const deliveryReason = z.object({
  reason: z
    .string()
    .check(
      z.trim(),
      z.minLength(5, 'Please enter the reason, in at least 5 characters'),
      z.maxLength(500, 'The reason must be at most 500 characters'),
    ),
});

export type VisaUpload = z.infer<ReturnType<typeof visaUpload>>;

/** A visa and where its mail goes. */
export interface MailedVisa extends VisaUpload {
  email: string;
  /** Why it is delivered although it differs; empty: no reason was asked for. */
  reason: string;
}

/**
 * The outcome of the server's comparison of a visa with its order; null: the server does not
 * compare them.
 */
export type VisaCheck = OrderDetails['uploadDoc'][number]['check'];

/** Returns true if the applicant has the visa. */
export const isDelivered = ({ is_withdrawn, check }: OrderDetails['uploadDoc'][number]) =>
  !is_withdrawn && !check?.is_waiting;

/** An uploaded visa. Its delivery can be undone only if it differs, while its mail waits. */
export interface DeliveredVisa extends Pick<ActionResult, 'message' | 'undo'> {
  check: VisaCheck;
}

/** Returns true if the server refuses a visa until a member gives a reason. */
export const isDiffering = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === 'visa_differs';

/** Notes that a member has looked at a visa that differs. */
export async function lookAtVisa(orderId: number, documentId: number) {
  const body = { orderId, document_id: documentId };
  return await answer(api.POST('/api/admin/look-at-visa', { body }));
}

/** Delivers a visa that waits, with the reason, or withdraws it, without one. */
export async function decideVisa(orderId: number, documentId: number, reason: string | null) {
  const decision = reason === null ? 'withdraw' : 'deliver';
  const body = { orderId, document_id: documentId, decision, reason } as const;
  return await answer(api.POST('/api/admin/decide-visa', { body }));
}

/** Uploads the visa of an order and has it mailed. */
export async function uploadVisa(
  orderId: number,
  { email, file, reason }: MailedVisa,
  provider: MailProvider,
  options: UploadOptions,
): Promise<DeliveredVisa> {
  const form = new FormData();
  form.set('orderId', String(orderId));
  form.set('email', email);
  form.set('mailServiceProvider', provider);
  if (reason) form.set('reason', reason);
  // The file comes last, so that the server can refuse the other fields before receiving it.
  if (file) form.set('uploadVisaDoc', file);
  const answered = await upload('/api/admin/upload-visa-document', form, options);
  const { message, data, undo } = answered as Envelope & Pick<ActionResult, 'undo'>;
  return { message, check: (data as VisaCheck | undefined) ?? null, undo };
}
