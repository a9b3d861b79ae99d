// Separate from visitorCalls.ts: few visitors need these, so the page does not wait for them.
import type { components } from './schema';
import { sendForm } from './sendForm';
import type { UploadOptions } from './upload';
import { post, refusalOf, type VisitorAnswer } from './visitorCalls';

type Schemas = components['schemas'];

/** Sends a paper that was asked for. Throws a `Refusal`, or an AbortError once it is cancelled. */
export async function uploadPaper(
  orderId: number,
  kind: string,
  file: File,
  options: UploadOptions,
): Promise<void> {
  const form = new FormData();
  // The server reads the form in this order.
  form.append('orderId', String(orderId));
  form.append('kind', kind);
  form.append('file', file);
  const path = `${location.origin}/api/front/upload-paper`;
  const sent = await sendForm(path, form, options);
  if (sent === null) throw refusalOf({}, 0, null);
  const answer = sent.body as VisitorAnswer;
  const isFine = sent.status >= 200 && sent.status < 300 && answer.status === 1;
  if (!isFine) throw refusalOf(answer, sent.status, sent.retryAfter);
}

/** Hands in the sent paper although the check found faults. Throws a `Refusal`. */
export async function sendPaperAnyway(orderId: number, kind: string): Promise<void> {
  const body: Schemas['SendPaperAnyway'] = { orderId: String(orderId), kind };
  await post('send-paper-anyway', body);
}
