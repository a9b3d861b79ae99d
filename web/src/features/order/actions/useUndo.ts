import { useCallback } from 'react';
import { ApiError } from '@/api/ApiError';
import { useChange } from '@/session/useChange';
import { notify } from '@/ui/notify';
import { ORDER } from '../orderQueries';
import { forgetChange, isOpen, useLastChange, type LastChange } from './lastChange';
import { undoEvent, type ActionResult } from './orderCalls';
import { summaryOf } from './summaries';

/** Undoes changes of orders on the server. `undoLast` undoes the last one of this tab. */
export function useUndo() {
  const { send, busy } = useChange({
    run: undoAll,
    stale: ORDER,
    success: (results, change) => {
      forgetChange(change);
      return { message: summaryOf(results) };
    },
    failure: (error, change) => {
      // A refusal is final. Without an answer it may work the next time.
      if (error instanceof ApiError && error.status >= 400 && error.status < 500)
        forgetChange(change);
      return { message: error instanceof Error ? error.message : String(error) };
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

/** Undoes the calls of a change, the last one first. */
async function undoAll({ events }: LastChange): Promise<ActionResult[]> {
  const results: ActionResult[] = [];
  for (const eventId of events.toReversed()) results.push(await undoEvent(eventId));
  return results;
}
