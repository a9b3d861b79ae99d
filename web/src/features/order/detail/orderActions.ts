import type { OrderDetails, ProcessStatus, UserInfo } from '@/api/types';
import type { Question } from '@/ui/ConfirmDialog';
import { assignToMe, deleteOrders, moveToOriginalFolder, restoreOrders } from '../bulkActions';
import { assign, moveTo, restore } from '../orderCalls';

/** An action on the order on the screen. */
export interface OrderAction {
  /** The button. */
  label: string;
  kind?: 'primary' | 'danger';
  question?: Question;
  /** Returns the server's message. */
  run: () => Promise<string>;
  /** Reverts it. `shownAt` is the order's `updated_at` after the action. */
  undo?: (shownAt: string | undefined) => Promise<string>;
}

/** The targets of the Move buttons, the most frequent first and Delete last. */
const TARGETS: readonly (readonly [ProcessStatus, label: string])[] = [
  ['Completed', 'Completed Orders'],
  ['Awaiting', 'Awaiting Response'],
  ['AwaitingGovt', 'Awaiting Govt'],
  ['Contact Customer', 'Contact Customer'],
  ['Customer Called', 'Customer Called'],
  ['Refunds', 'Completed Refunds'],
  ['ChargeBack', 'ChargeBack'],
  ['Deleted', 'Delete'],
];

type OrderState = Pick<OrderDetails, 'order_id' | 'process_status' | 'updated_at' | 'assign_to'>;

/** A move to every status except the current one and those the member may not set. */
export function movesOf(order: OrderState, me: UserInfo): OrderAction[] {
  return TARGETS.filter(
    ([target]) => target !== order.process_status && (target !== 'Deleted' || mayDelete(order, me)),
  ).map(([target, label]) => move(order, me, target, label));
}

/** The actions on the order's owner and on its deletion. */
export function ownActionsOf(order: OrderState, me: UserInfo): OrderAction[] {
  const ids = [order.order_id];
  const owner = order.assign_to ?? '';
  const actions: OrderAction[] = [];
  if (order.process_status === 'Deleted' && me.may.restore_orders) {
    const { label } = restoreOrders;
    const question = {
      title: 'Restore',
      text: 'Are you sure you want to restore this order?',
      yes: 'Yes, restore',
    };
    actions.push({ label, kind: 'primary', question, run: () => restore(ids) });
  }
  if (!owner) {
    const { label, question } = assignToMe;
    const run = () => assign(ids, me.name);
    actions.push({ label, kind: 'primary', question, run, undo: () => assign(ids, '') });
  } else if (owner === me.name || me.may.assign_to_others) {
    const { label, question } = moveToOriginalFolder;
    const run = () => assign(ids, '');
    actions.push({ label, question, run, undo: () => assign(ids, owner) });
  }
  return actions;
}

/** Everyone may delete future orders. Spec §6. */
function mayDelete(order: OrderState, me: UserInfo): boolean {
  return me.may.delete_orders || order.process_status === 'Future';
}

function move(order: OrderState, me: UserInfo, target: ProcessStatus, label: string): OrderAction {
  const ids = [order.order_id];
  const before = order.process_status;
  const action = { label, run: () => moveTo(ids, target, order.updated_at) };
  if (target === 'Deleted') {
    const undo = (shownAt?: string) =>
      me.may.restore_orders ? restore(ids) : moveTo(ids, before, shownAt);
    return { ...action, kind: 'danger', question: deleteOrders.question, undo };
  }
  // Back to Deleted would be a deletion.
  if (before === 'Deleted' && !me.may.delete_orders) return action;
  return { ...action, undo: (shownAt) => moveTo(ids, before, shownAt) };
}
