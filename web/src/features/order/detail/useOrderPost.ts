import { useCallback } from 'react';
import { messageOf } from '@/api/ApiError';
import type { AttemptHeaders } from '@/api/attempt';
import { postJson, type PostBody, type PostPath } from '@/api/client';
import { useChange } from '@/session/useChange';
import { ORDER } from '../orderQueries';
import { useAttemptKey } from './useAttemptKey';

interface Submission {
  headers: AttemptHeaders;
  call: (headers: AttemptHeaders) => Promise<{ message: string }>;
  onDone: (() => void) | undefined;
}

export type OrderPost = <Path extends PostPath>(
  path: Path,
  body: PostBody<Path>,
) => Promise<boolean>;

interface OrderPostOptions {
  /** Submissions of one scope are sent one after another. */
  scope?: string;
  /** The form itself shows these errors. */
  isShown?: (error: unknown) => boolean;
}

/**
 * Submits forms about an order, each under the key of its attempts. `post` sends JSON. `submit` makes another call, where `content`
 * identifies the submission; `onDone` is called at once after a success. Both return whether they succeeded, once the order is
 * loaded again.
 */
export function useOrderPost({ scope, isShown }: OrderPostOptions = {}) {
  const attempt = useAttemptKey();
  const { send } = useChange({
    run: async ({ headers, call, onDone }: Submission) => ({ ...(await call(headers)), onDone }),
    ...(scope && { scope }),
    stale: ORDER,
    waits: true,
    success: ({ message, onDone }) => {
      onDone?.();
      return { message };
    },
    failure: (error) => (isShown?.(error) ? null : { message: messageOf(error) }),
  });
  const submit = useCallback(
    async (content: unknown, call: Submission['call'], onDone?: () => void): Promise<boolean> => {
      const headers = attempt.headersOf(content);
      const isDone = (await send({ headers, call, onDone })) !== undefined;
      if (isDone) attempt.done();
      return isDone;
    },
    [attempt, send],
  );
  const post: OrderPost = useCallback(
    (path, body) => submit([path, body], (headers) => postJson(path, body, headers)),
    [submit],
  );
  return { post, submit };
}
