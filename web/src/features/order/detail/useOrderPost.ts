import { useCallback } from 'react';
import { messageOf } from '@/api/ApiError';
import type { AttemptHeaders } from '@/api/attempt';
import { useChange } from '@/session/useChange';
import { ORDER } from '../orderQueries';
import { useAttemptKey } from './useAttemptKey';

interface Post {
  headers: AttemptHeaders;
  call: (headers: AttemptHeaders) => Promise<{ message: string }>;
  onDone: (() => void) | undefined;
}

interface OrderPostOptions {
  /** Submissions of one scope are sent one after another. */
  scope?: string;
  /** The form itself shows these errors. */
  isShown?: (error: unknown) => boolean;
}

/**
 * Submits a form about an order. `content` identifies the submission; `call` sends it with the header of its attempts. `onDone` is
 * called at once after a success. Returns whether it succeeded, once the order is loaded again.
 */
export function useOrderPost({ scope, isShown }: OrderPostOptions = {}) {
  const attempt = useAttemptKey();
  const { send } = useChange({
    run: async ({ headers, call, onDone }: Post) => ({ ...(await call(headers)), onDone }),
    ...(scope && { scope }),
    stale: ORDER,
    waits: true,
    success: ({ message, onDone }) => {
      onDone?.();
      return { message };
    },
    failure: (error) => (isShown?.(error) ? null : { message: messageOf(error) }),
  });
  return useCallback(
    async (content: unknown, call: Post['call'], onDone?: () => void): Promise<boolean> => {
      const headers = attempt.headersOf(content);
      const isDone = (await send({ headers, call, onDone })) !== undefined;
      if (isDone) attempt.done();
      return isDone;
    },
    [attempt, send],
  );
}
