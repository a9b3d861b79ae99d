import { useCallback } from 'react';
import { messageOf } from '@/api/ApiError';
import { useChange } from '@/session/useChange';
import { ORDER } from '../orderQueries';
import { useAttemptKey } from './useAttemptKey';

interface Post {
  key: string;
  run: (key: string) => Promise<string>;
}

/**
 * Submits a form about an order. `content` identifies the submission; `run` sends it under a key and returns the message.
 * Returns whether it succeeded, once the order is loaded again. The form itself shows the errors that `isShown` names.
 */
export function useOrderPost(isShown?: (error: unknown) => boolean) {
  const attempt = useAttemptKey();
  const { send } = useChange({
    run: async ({ key, run }: Post) => ({ message: await run(key) }),
    stale: ORDER,
    waits: true,
    failure: (error) => (isShown?.(error) ? null : { message: messageOf(error) }),
  });
  return useCallback(
    async (content: unknown, run: Post['run']): Promise<boolean> => {
      const isDone = (await send({ key: attempt.keyOf(content), run })) !== undefined;
      if (isDone) attempt.done();
      return isDone;
    },
    [attempt, send],
  );
}
