import { useQueryClient } from '@tanstack/react-query';
import { notifyFailure } from '@/session/notifyFailure';
import { notify } from '@/ui/notify';
import { ORDER } from '../orderQueries';
import { useAttemptKey } from './useAttemptKey';

/**
 * Submits a form about an order, shows the outcome and reloads the order. `content` identifies the
 * submission; `run` sends it under a key and returns the message. Returns whether it succeeded.
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
      // After a refusal too: the shown data may be out of date.
      await queries.invalidateQueries({ queryKey: ORDER });
    }
  };
}
