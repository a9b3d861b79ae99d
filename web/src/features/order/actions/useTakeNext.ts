import { useCallback } from 'react';
import { useNavigate } from 'react-router';
import { paths } from '@/paths/staffPaths';
import { useChange } from '@/session/useChange';
import { useAttemptKey } from '../detail/useAttemptKey';
import { ORDER } from '../orderQueries';
import { rememberChange } from './lastChange';
import { takeNextOrder } from './orderCalls';
import { useUndo } from './useUndo';

/** Takes the most urgent free order, opens it, and says why it is the one. */
export function useTakeNext() {
  const navigate = useNavigate();
  const { undo } = useUndo();
  const attempt = useAttemptKey();
  const { send, busy } = useChange({
    // After a lost answer the next press gets the order that the first one took.
    run: () => takeNextOrder(attempt.headersOf('next')),
    stale: ORDER,
    success: (result) => {
      attempt.done();
      const { message, data } = result;
      const last = rememberChange([result], message);
      if (data) void navigate(paths.viewOrder(data.order_id));
      return last ? { message, action: { label: 'Undo', onClick: () => undo(last) } } : { message };
    },
  });
  const takeNext = useCallback(() => {
    // A second press would take a second order.
    if (!busy) void send(undefined);
  }, [busy, send]);
  return { takeNext, busy };
}
