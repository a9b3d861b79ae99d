import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { notifyFailure } from '@/session/notifyFailure';
import { notify } from '@/ui/notify';
import { useConfirm } from '@/ui/useConfirm';
import { ORDER } from '../orderQueries';
import type { OrderAction } from './orderActions';
import { orderDetailsQuery } from './orderDetailsQuery';

/** Asks, does, loads the order and the counts anew, reports, and offers to undo. */
export function useOrderAction(orderId: number) {
  const queries = useQueryClient();
  const [ask, dialog] = useConfirm();
  const [busy, setBusy] = useState(false);

  const updatedAt = () => queries.getQueryData(orderDetailsQuery(orderId).queryKey)?.updated_at;
  const send = async (run: () => Promise<string>) => {
    setBusy(true);
    try {
      return await run();
    } finally {
      // After a refusal as well: what is shown may be out of date.
      await queries.invalidateQueries({ queryKey: ORDER });
      setBusy(false);
    }
  };

  const perform = async ({ question, run, undo }: OrderAction) => {
    if (question && !(await ask(question))) return;
    const before = updatedAt();
    try {
      const message = await send(run);
      const after = updatedAt();
      // Whoever left the page before the order came anew has not seen how it stands.
      const shownAt = after === before ? undefined : after;
      const takeBack = () =>
        void send(() => undo!(shownAt)).then((message) => notify.success(message), notifyFailure);
      notify.success(message, { action: undo && { label: 'Undo', onClick: takeBack } });
    } catch (error) {
      notifyFailure(error);
    }
  };
  return { perform, busy, dialog };
}
