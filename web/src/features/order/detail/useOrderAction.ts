import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { notifyFailure } from '@/session/notifyFailure';
import { notify } from '@/ui/notify';
import { useConfirm } from '@/ui/useConfirm';
import type { ActionResult } from '../orderCalls';
import { ORDER } from '../orderQueries';
import type { OrderAction } from './actionsOf';
import { orderDetailsQuery } from './orderDetailsQuery';

/** Asks, runs an action, reloads the order and the counts, reports, and offers to undo it. */
export function useOrderAction(orderId: number) {
  const queries = useQueryClient();
  const [ask, dialog] = useConfirm();
  const [busy, setBusy] = useState(false);

  const send = async (run: () => Promise<ActionResult>) => {
    setBusy(true);
    try {
      return await run();
    } finally {
      // After a refusal too: the shown data may be out of date.
      await queries.invalidateQueries({ queryKey: ORDER });
      setBusy(false);
    }
  };

  /** The reloaded order; loads it again only for a member who left the screen before. */
  const orderNow = () =>
    queries
      .fetchQuery({ ...orderDetailsQuery(orderId), staleTime: Infinity })
      .catch(() => undefined);

  const perform = async ({ question, run, undo }: OrderAction) => {
    if (question && !(await ask(question))) return;
    try {
      const { message } = await send(run);
      const after = undo && (await orderNow());
      const revert = after && undo?.(after);
      const takeBack = () =>
        revert && void send(revert).then(({ message }) => notify.success(message), notifyFailure);
      notify.success(message, { action: revert && { label: 'Undo', onClick: takeBack } });
    } catch (error) {
      notifyFailure(error);
    }
  };
  return { perform, busy, dialog };
}
