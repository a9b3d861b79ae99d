import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { ApiError, messageOf } from '@/api/ApiError';
import { notifyFailure } from '@/session/notifyFailure';
import { notify, type ToastAction } from '@/ui/notify';
import { useConfirm } from '@/ui/useConfirm';
import type { BulkAction, BulkContext, Offer } from './bulkActions';
import { inBatches, type BatchesOutcome } from './inBatches';
import { ORDER, removeFromLists } from './orderQueries';

/** Asks, runs an action on many orders, reports, and offers what follows, such as to undo it or to leave out a refused order. */
export function useBulk(context: BulkContext, drop: (ids: readonly number[]) => void) {
  const queries = useQueryClient();
  const [ask, dialog] = useConfirm();
  const [busy, setBusy] = useState(false);

  const bulk = useMemo<Bulk>(
    () => ({
      drop,
      send: async (run, someIds) => {
        setBusy(true);
        const outcome = await inBatches(someIds, (batch) => run(batch, context));
        setBusy(false);
        drop(outcome.done);
        // The report does not wait: a long list takes its time.
        void queries.invalidateQueries({ queryKey: ORDER });
        return outcome;
      },
    }),
    [context, drop, queries],
  );

  const perform = useCallback(
    async (action: BulkAction, ids: readonly number[]) => {
      if (ids.length === 0 || !(await ask(action.question))) return;
      const run: BulkAction['run'] = async (batch, context) => {
        const result = await action.run(batch, context);
        if (action.leavesList) removeFromLists(queries, batch);
        return result;
      };
      await runAndReport(bulk, ids, { run, offer: action.offer });
    },
    [ask, bulk, queries],
  );
  /** Runs an action without asking. */
  const follow = useCallback(
    (offer: Offer, ids: readonly number[]) => runAndReport(bulk, ids, offer),
    [bulk],
  );
  return { perform, follow, busy, dialog };
}

type Send = (run: BulkAction['run'], ids: readonly number[]) => Promise<BatchesOutcome>;

interface Bulk {
  send: Send;
  /** Takes orders out of the selection. */
  drop: (ids: readonly number[]) => void;
}

async function runAndReport(
  bulk: Bulk,
  ids: readonly number[],
  action: Pick<BulkAction, 'run' | 'offer'>,
): Promise<void> {
  const { done, results, message, refusal } = await bulk.send(action.run, ids);
  if (refusal) {
    const leaveOut = (orderId: number, rest: readonly number[]) => {
      bulk.drop([orderId]);
      void runAndReport(bulk, rest, action);
    };
    notifyFailure(refusal, {
      message: refusalText(done.length, ids.length, refusal),
      action: leaveOutOffer(refusal, ids.slice(done.length), leaveOut),
    });
  } else {
    const offer = action.offer?.(results);
    notify.success(message, {
      action: offer && {
        label: offer.label,
        onClick: () => void runAndReport(bulk, done, offer),
      },
    });
  }
}

function refusalText(done: number, all: number, refusal: unknown): string {
  const reason = messageOf(refusal);
  return done === 0
    ? reason
    : `The first ${done} of ${all} orders are done, the next batch was refused. ${reason}`;
}

/** Offers to continue without the refused order. */
function leaveOutOffer(
  refusal: unknown,
  left: readonly number[],
  leaveOut: (orderId: number, rest: readonly number[]) => void,
): ToastAction | undefined {
  if (!(refusal instanceof ApiError) || refusal.data.order_id === undefined) return undefined;
  const { order_id: orderId } = refusal.data;
  const rest = left.filter((id) => id !== orderId);
  if (rest.length === 0) return undefined;
  return { label: 'Leave it out and try again', onClick: () => leaveOut(orderId, rest) };
}
