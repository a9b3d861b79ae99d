interface FormOptions {
  headers: Record<string, string>;
  /** Called with the share of the form that is sent, from 0 to 1. */
  onProgress: (share: number) => void;
  /** Cancels the request, which then fails with an AbortError. */
  signal: AbortSignal;
}

interface FormAnswer {
  status: number;
  /** Its JSON; empty if it is none. */
  body: object;
  /** The header `Retry-After`; null without one. */
  retryAfter: string | null;
}

/** Posts a form and reports progress, which fetch cannot. Returns null if no answer came. */
export function sendForm(
  path: string,
  form: FormData,
  { headers, onProgress, signal }: FormOptions,
): Promise<FormAnswer | null> {
  return new Promise((done, failed) => {
    const request = new XMLHttpRequest();
    request.open('POST', path);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', ({ lengthComputable, loaded, total }) => {
      if (lengthComputable) onProgress(loaded / total);
    });
    request.addEventListener('load', () => {
      const retryAfter = request.getResponseHeader('Retry-After');
      done({ status: request.status, body: bodyOf(request.responseText), retryAfter });
    });
    request.addEventListener('error', () => done(null));
    request.addEventListener('abort', () =>
      failed(new DOMException('The upload was cancelled', 'AbortError')),
    );
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(form);
  });
}

function bodyOf(text: string): object {
  try {
    return (JSON.parse(text) ?? {}) as object;
  } catch {
    return {};
  }
}
