import { useCallback } from 'react';
import { messageOf } from '@/api/ApiError';
import { useChange } from '@/session/useChange';
import { ORDER } from '../orderQueries';
import { useAttemptKey } from './useAttemptKey';

interface Post {
  key: string;
  run: (key: string) => Promise<string>;
  onDone: (() => void) | undefined;
}

interface OrderPostOptions {
  /** Submissions of one scope are sent one after another. */
  scope?: string;
  /** The form itself shows these errors. */
  isShown?: (error: unknown) => boolean;
}

/**
 * Submits a form about an order. `content` identifies the submission; `run` sends it under a key and returns the message.
 * `onDone` is called at once after a success. Returns whether it succeeded, once the order is loaded again.
 */
export function useOrderPost({ scope, isShown }: OrderPostOptions = {}) {
  const attempt = useAttemptKey();
  const { send } = useChange({
    run: async ({ key, run, onDone }: Post) => ({ message: await run(key), onDone }),
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
    async (content: unknown, run: Post['run'], onDone?: () => void): Promise<boolean> => {
      const isDone = (await send({ key: attempt.keyOf(content), run, onDone })) !== undefined;
      if (isDone) attempt.done();
      return isDone;
    },
    [attempt, send],
  );
}
