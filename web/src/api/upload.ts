import { ApiError } from './ApiError';
import type { AttemptHeaders } from './attempt';
import { endSessionOf, type Envelope, refusalOf, UNREACHABLE } from './client';
import type { paths } from './schema';
import { sendForm } from './sendForm';
import { storedLogin } from './storedLogin';

export interface UploadOptions {
  /** The same for every attempt of one upload. */
  headers: AttemptHeaders;
  /** Called with the share of the form that is sent, from 0 to 1. */
  onProgress: (share: number) => void;
  /** Cancels the upload, which then fails with an AbortError. */
  signal: AbortSignal;
}

/**
 * Posts a form with files and reports progress, which fetch cannot. Returns the answer, or throws
 * an ApiError with the server's message.
 */
export async function upload(
  path: keyof paths,
  form: FormData,
  { headers: attempt, onProgress, signal }: UploadOptions,
): Promise<Envelope> {
  const token = storedLogin()?.accessToken ?? null;
  const headers = {
    ...attempt,
    ...(token !== null && { Authorization: token }),
  };
  const sent = await sendForm(path, form, { headers, onProgress, signal });
  if (sent === null) throw new ApiError(UNREACHABLE, 0);
  const body = sent.body as Partial<Envelope>;
  if (sent.status === 401) endSessionOf(token, body.message);
  if (sent.status >= 200 && sent.status < 300 && body.status === 1) return body as Envelope;
  throw refusalOf(body, sent.status);
}
