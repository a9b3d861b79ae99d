import { ApiError } from './ApiError';
import { endSessionOf, type Envelope, IDEMPOTENCY_KEY, refusalOf, UNREACHABLE } from './client';
import type { paths } from './schema';
import { storedLogin } from './storedLogin';

export interface UploadOptions {
  /** The same for every attempt of one upload. */
  key: string;
  /** Called with the share of the form that is sent, from 0 to 1. */
  onProgress: (share: number) => void;
  /** Cancels the upload, which then fails with an AbortError. */
  signal: AbortSignal;
}

/**
 * Posts a form with files and reports progress, which fetch cannot. Returns the answer, or throws
 * an ApiError with the server's message.
 */
export function upload(
  path: keyof paths,
  form: FormData,
  { key, onProgress, signal }: UploadOptions,
): Promise<Envelope> {
  const token = storedLogin()?.accessToken ?? null;
  return new Promise((done, failed) => {
    const request = new XMLHttpRequest();
    request.open('POST', path);
    if (token !== null) request.setRequestHeader('Authorization', token);
    request.setRequestHeader(IDEMPOTENCY_KEY, key);
    request.upload.addEventListener('progress', ({ lengthComputable, loaded, total }) => {
      if (lengthComputable) onProgress(loaded / total);
    });
    request.addEventListener('load', () => {
      const body = read(request.responseText);
      const isFine = request.status >= 200 && request.status < 300 && body?.status === 1;
      if (request.status === 401) endSessionOf(token, body?.message);
      if (isFine) done(body);
      else failed(refusalOf(body, request.status));
    });
    request.addEventListener('error', () => failed(new ApiError(UNREACHABLE, 0)));
    request.addEventListener('abort', () =>
      failed(new DOMException('The upload was cancelled', 'AbortError')),
    );
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(form);
  });
}

function read(text: string): Envelope | undefined {
  try {
    return JSON.parse(text) as Envelope;
  } catch {
    return undefined;
  }
}
