import { useMemo, useRef } from 'react';
import { type AttemptHeaders, newAttempt } from '@/api/attempt';

/**
 * The Idempotency-Key of a form. It stays the same for the same content, so that a repeat after a lost
 * answer has no second effect.
 */
export function useAttemptKey() {
  const last = useRef<{ content: string; headers: AttemptHeaders } | null>(null);
  return useMemo(
    () => ({
      /** The header for this content. */
      headersOf: (sent: unknown): AttemptHeaders => {
        const content = JSON.stringify(sent);
        if (content !== last.current?.content) last.current = { content, headers: newAttempt() };
        return last.current.headers;
      },
      /** Marks the submission as done: the next one gets a new key even with the same content. */
      done: () => {
        last.current = null;
      },
    }),
    [],
  );
}
