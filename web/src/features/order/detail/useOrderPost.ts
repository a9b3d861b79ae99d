import { useQueryClient } from '@tanstack/react-query';
import { notifyFailure } from '@/session/notifyFailure';
import { notify } from '@/ui/notify';
import { ORDER } from '../orderQueries';
import { useAttemptKey } from './useAttemptKey';

/**
 * Sends a form about an order, tells what came of it, and loads the order anew. `content` is what is
 * sent; `run` sends it under a key and answers the message. Answers whether it was done.
 */
export function useOrderPost() {
  const queries = useQueryClient();
  const attempt = useAttemptKey();
  return async (content: unknown, run: (key: string) => Promise<string>): Promise<boolean> => {
    try {
      notify.success(await run(attempt.keyOf(content)));
      attempt.done();
      return true;
    } catch (error) {
      const isCancelled = error instanceof DOMException && error.name === 'AbortError';
      if (!isCancelled) notifyFailure(error);
      return false;
    } finally {
      // After a refusal as well: what is shown may be out of date.
      await queries.invalidateQueries({ queryKey: ORDER });
    }
  };
}
