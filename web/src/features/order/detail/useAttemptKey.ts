import { useMemo, useRef } from 'react';
import { idempotencyKey } from '@/api/client';

/**
 * The Idempotency-Key of a form: the same as long as the same is sent, so that a repeat after a lost
 * answer is not done twice.
 */
export function useAttemptKey() {
  const last = useRef({ content: '', key: '' });
  return useMemo(
    () => ({
      /** The key under which to send this. */
      keyOf: (sent: unknown): string => {
        const content = JSON.stringify(sent);
        if (content !== last.current.content) last.current = { content, key: idempotencyKey() };
        return last.current.key;
      },
      /** It was done: the next one is another, even if it says the same. */
      done: () => {
        last.current = { content: '', key: '' };
      },
    }),
    [],
  );
}
