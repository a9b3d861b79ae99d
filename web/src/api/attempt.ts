export const IDEMPOTENCY_KEY = 'Idempotency-Key';

/** The header that all attempts of one request share, so that they have one effect. */
export type AttemptHeaders = { [IDEMPOTENCY_KEY]: string };

/** The header of a new request. It is random in every browser; `crypto.randomUUID` is missing from pages without https. */
export function newAttempt(): AttemptHeaders {
  const bytes = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  );
  return { [IDEMPOTENCY_KEY]: bytes.join('') };
}
