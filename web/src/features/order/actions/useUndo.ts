import { useCallback } from 'react';
import { ApiError, messageOf } from '@/api/ApiError';
import { useChange } from '@/session/useChange';
import { notify } from '@/ui/notify';
import { ORDER } from '../orderQueries';
import { asRefused, inBatches } from './inBatches';
import { isOpen, keepEvents, useLastChange, type LastChange } from './lastChange';
import { undoEvent } from './orderCalls';
import { summaryOf } from './summaries';

/** Undoes changes of orders on the server. `undoLast` undoes the last one of this tab. */
export function useUndo() {
  const { send, busy } = useChange({
    // The last call first: an earlier one cannot be undone while a later one stands.
    run: ({ events }: LastChange) =>
      inBatches(events.toReversed(), ([event]) => undoEvent(event!), 1),
    stale: ORDER,
    success: ({ results }, change) => {
      keepEvents(change, []);
      return { message: summaryOf(results) };
    },
    failure: (error, change) => {
      const { refusal, done, results } = asRefused(error);
      // A refusal is final. Without an answer it may work the next time.
      const isFinal = refusal instanceof ApiError && refusal.status >= 400 && refusal.status < 500;
      const settled = done.length + (isFinal ? 1 : 0);
      keepEvents(change, change.events.slice(0, change.events.length - settled));
      const reason = messageOf(refusal);
      return {
        message:
          done.length === 0
            ? reason
            : `${summaryOf(results)}. The next batch was refused. ${reason}`,
      };
    },
  });
  const undo = useCallback((change: LastChange) => void send(change), [send]);
  const undoLast = useCallback(() => {
    const { last } = useLastChange.getState();
    if (last && isOpen(last)) undo(last);
    else notify.success('There is nothing to undo', { id: 'nothing-to-undo' });
  }, [undo]);
  return { undo, undoLast, busy };
}
