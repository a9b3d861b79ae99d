import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { ApiError, messageOf } from '@/api/ApiError';
import { notify, type ToastAction } from '@/ui/notify';
import { useConfirm } from '@/ui/useConfirm';
import type { BulkAction, BulkContext } from './bulkActions';
import { inBatches, type BatchesOutcome } from './inBatches';
import { ORDER } from './orderQueries';

/** Asks, does, reports, and offers to undo or to leave out the order that was in the way. */
export function useBulk(context: BulkContext, onDone: (ids: readonly number[]) => void) {
  const queries = useQueryClient();
  const [ask, dialog] = useConfirm();
  const [busy, setBusy] = useState(false);

  const perform = useCallback(
    async (action: BulkAction, ids: readonly number[]) => {
      if (ids.length === 0 || !(await ask(action.question))) return;
      const send: Send = async (run, someIds) => {
        setBusy(true);
        const outcome = await inBatches(someIds, (batch) => run(batch, context));
        setBusy(false);
        onDone(outcome.done);
        await queries.invalidateQueries({ queryKey: ORDER });
        return outcome;
      };
      await runAndReport(send, ids, action.run, action.undo);
    },
    [ask, context, onDone, queries],
  );
  return { perform, busy, dialog };
}

type Send = (run: BulkAction['run'], ids: readonly number[]) => Promise<BatchesOutcome>;

async function runAndReport(
  send: Send,
  ids: readonly number[],
  run: BulkAction['run'],
  undo?: BulkAction['undo'],
): Promise<void> {
  const { done, message, refusal } = await send(run, ids);
  if (refusal) {
    notify.error(refusalText(done.length, ids.length, refusal), {
      action: leaveOut(refusal, ids, done, (rest) => void runAndReport(send, rest, run, undo)),
    });
  } else {
    notify.success(message, {
      action: undo && { label: 'Undo', onClick: () => void runAndReport(send, done, undo) },
    });
  }
}

function refusalText(done: number, all: number, refusal: unknown): string {
  const reason = messageOf(refusal);
  return done === 0
    ? reason
    : `The first ${done} of ${all} orders are done, the next batch was refused. ${reason}`;
}

/** Offers to repeat without the order that was in the way. */
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
