import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { ApiError, messageOf } from '@/api/ApiError';
import { notify, type ToastAction } from '@/ui/notify';
import { useConfirm } from '@/ui/useConfirm';
import type { BulkAction, BulkContext } from './bulkActions';
import { inBatches } from './inBatches';
import { ORDER } from './orderQueries';

/** Asks, does, reports, and offers to undo or to leave out the order that was in the way. */
export function useBulk(context: BulkContext, onDone: (ids: readonly number[]) => void) {
  const queries = useQueryClient();
  const [ask, dialog] = useConfirm();
  const [busy, setBusy] = useState(false);

  const send = useCallback(
    async (ids: readonly number[], run: BulkAction['run'], undo: BulkAction['undo']) => {
      setBusy(true);
      const { done, message, refusal } = await inBatches(ids, (batch) => run(batch, context));
      setBusy(false);
      onDone(done);
      await queries.invalidateQueries({ queryKey: ORDER });
      if (refusal) {
        notify.error(refusalText(done.length, ids.length, refusal), {
          action: leaveOut(refusal, ids, done, (rest) => void send(rest, run, undo)),
        });
      } else {
        notify.success(message, {
          action: undo && { label: 'Undo', onClick: () => void send(done, undo, undefined) },
        });
      }
    },
    [context, onDone, queries],
  );

  const perform = useCallback(
    async (action: BulkAction, ids: readonly number[]) => {
      if (ids.length === 0 || !(await ask(action.question))) return;
      await send(ids, action.run, action.undo);
    },
    [ask, send],
  );
  return { perform, busy, dialog };
}

function refusalText(done: number, all: number, refusal: unknown): string {
  const reason = messageOf(refusal);
  return done === 0
    ? reason
    : `The first ${done} of ${all} orders are done, the next batch was refused. ${reason}`;
}

function leaveOut(
  refusal: unknown,
  ids: readonly number[],
  done: readonly number[],
  retry: (rest: number[]) => void,
): ToastAction | undefined {
  if (!(refusal instanceof ApiError) || refusal.orderId === undefined) return undefined;
  const finished = new Set([...done, refusal.orderId]);
  const rest = ids.filter((id) => !finished.has(id));
  if (rest.length === 0) return undefined;
  return { label: 'Leave it out and try again', onClick: () => retry(rest) };
}
