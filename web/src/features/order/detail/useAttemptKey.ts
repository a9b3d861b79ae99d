import { useMemo, useRef } from 'react';
import { idempotencyKey } from '@/api/client';

/**
 * The Idempotency-Key of a form. It stays the same for the same content, so that a repeat after a lost
 * answer has no second effect.
 */
export function useAttemptKey() {
  const last = useRef({ content: '', key: '' });
  return useMemo(
    () => ({
      /** The key for this content. */
      keyOf: (sent: unknown): string => {
        const content = JSON.stringify(sent);
        if (content !== last.current.content) last.current = { content, key: idempotencyKey() };
        return last.current.key;
      },
      /** Marks the submission as done: the next one gets a new key even with the same content. */
      done: () => {
        last.current = { content: '', key: '' };
      },
    }),
    [],
  );
}
