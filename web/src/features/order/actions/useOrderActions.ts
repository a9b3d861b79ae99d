import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useLayoutEffect, useRef } from 'react';
import { ApiError, messageOf } from '@/api/ApiError';
import { useChange, type ChangeToast } from '@/session/useChange';
import { announce } from '@/session/presence';
import type { ToastAction } from '@/ui/notify';
import { useConfirm } from '@/ui/useConfirm';
import { useGoOnBeside } from '../colleagues';
import { ORDER, reloadHiddenPages, removeFromLists } from '../orderQueries';
import { useGiveOrders } from './GiveOrders';
import { asRefused, inBatches, type OrdersOutcome } from './inBatches';
import { rememberChange } from './lastChange';
import { messageOfResults, questionAbout, type OrderAction, type Target } from './orderActions';
import { useUndo } from './useUndo';

/** An action and its orders. */
interface Started {
  action: OrderAction;
  target: Target;
}

interface OrderActionsOptions {
  /** The action is busy until the screen shows its outcome. */
  waits?: boolean;
  /** Takes orders out of the selection: they are done or left out. */
  drop?: (ids: readonly number[]) => void;
}

/** Runs actions on orders: asks, reports, and offers to undo them or to leave a refused order out. */
export function useOrderActions({ waits = false, drop }: OrderActionsOptions = {}) {
  const queries = useQueryClient();
  const [ask, question] = useConfirm();
  const goesOnBeside = useGoOnBeside(ask);
  const [askWhom, giving] = useGiveOrders();
  const { undo } = useUndo();
  // A toast outlives the render that made it, and may run a further action.
  const again = useRef<(started: Started) => void>(() => undefined);

  const { send, busy } = useChange({
    run: ({ action, target }: Started): Promise<OrdersOutcome> =>
      inBatches(target.ids, async (ids) => {
        const result = await action.run({ ...target, ids });
        if (action.leavesList) removeFromLists(queries, ids);
        else reloadHiddenPages(queries, ids);
        return result;
      }),
    stale: ORDER,
    waits,
    success: ({ done, results }, { action, target }): ChangeToast => {
      drop?.(done);
      const message = messageOfResults(action, results);
      const last = rememberChange(results, message);
      const followUp = action.followUp?.(results);
      const undoIt = last && { label: 'Undo', onClick: () => undo(last) };
      const goOn = followUp && {
        label: followUp.label,
        onClick: () => again.current({ action: followUp, target: { ...target, ids: done } }),
      };
      const toastAction = goOn ?? undoIt;
      return toastAction ? { message, action: toastAction } : { message };
    },
    failure: (error, started): ChangeToast => {
      const { refusal, done, results } = asRefused(error);
      drop?.(done);
      rememberChange(results, messageOfResults(started.action, results));
      const message = refusalText(done.length, started.target.ids.length, refusal);
      const leaveOut = leaveOutOffer(
        refusal,
        started.target.ids.slice(done.length),
        (orderId, ids) => {
          drop?.([orderId]);
          again.current({ ...started, target: { ...started.target, ids } });
        },
      );
      return leaveOut ? { message, action: leaveOut } : { message };
    },
  });
  useLayoutEffect(() => {
    again.current = (started) => void send(started);
  }, [send]);

  const askAndSend = useCallback(
    async (action: OrderAction, target: Target) => {
      const isOwn = target.folderName === undefined;
      const asked = (isOwn && action.ownQuestion) || action.question;
      if (asked && !(await ask(questionAbout(asked, target.ids)))) return;
      if (!action.giving) {
        await send({ action, target });
        return;
      }
      const given = await askWhom(action.giving, target.ids);
      if (given) await send({ action, target: { ...target, given } });
    },
    [ask, askWhom, send],
  );
  const perform = useCallback(
    async (action: OrderAction, target: Target) => {
      const { activity } = action;
      if (target.ids.length === 0) return;
      if (!activity) {
        await askAndSend(action, target);
        return;
      }
      if (!(await goesOnBeside(target.ids, activity))) return;
      const end = announce(target.ids, activity);
      await askAndSend(action, target).finally(end);
    },
    [goesOnBeside, askAndSend],
  );
  /** Runs an action without asking. */
  const follow = useCallback(
    (action: OrderAction, target: Target) => void send({ action, target }),
    [send],
  );
  return { perform, follow, busy, dialog: question ?? giving };
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
  run: (orderId: number, rest: number[]) => void,
): ToastAction | undefined {
  if (!(refusal instanceof ApiError) || refusal.data.order_id === undefined) return undefined;
  const { order_id: orderId } = refusal.data;
  const rest = left.filter((id) => id !== orderId);
  if (rest.length === 0) return undefined;
  return { label: 'Leave it out and try again', onClick: () => run(orderId, rest) };
}
