import { useCallback } from 'react';
import { messageOf } from '@/api/ApiError';
import type { AttemptHeaders } from '@/api/attempt';
import { useChange } from '@/session/useChange';
import { ORDER } from '../orderQueries';
import { useAttemptKey } from './useAttemptKey';

interface Post {
  headers: AttemptHeaders;
  call: (headers: AttemptHeaders) => Promise<{ message: string }>;
}

/**
 * Submits a form about an order. `content` identifies the submission; `call` sends it with the header of its attempts.
 * Returns whether it succeeded, once the order is loaded again. The form itself shows the errors that `isShown` names.
 */
export function useOrderPost(isShown?: (error: unknown) => boolean) {
  const attempt = useAttemptKey();
  const { send } = useChange({
    run: ({ headers, call }: Post) => call(headers),
    stale: ORDER,
    waits: true,
    failure: (error) => (isShown?.(error) ? null : { message: messageOf(error) }),
  });
  return useCallback(
    async (content: unknown, call: Post['call']): Promise<boolean> => {
      const headers = attempt.headersOf(content);
      const isDone = (await send({ headers, call })) !== undefined;
      if (isDone) attempt.done();
      return isDone;
    },
    [attempt, send],
  );
}
