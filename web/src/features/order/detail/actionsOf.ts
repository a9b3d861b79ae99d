import type { OrderDetails, ProcessStatus, UserInfo } from '@/api/types';
import type { Question } from '@/ui/ConfirmDialog';
import { assignToMe, deleteOrders, moveToOriginalFolder, restoreOrders } from '../bulkActions';
import { assign, moveTo, restore, type ActionResult } from '../orderCalls';

/** An action on the order on the screen. */
export interface OrderAction {
  /** The button. */
  label: string;
  kind?: 'primary' | 'danger';
  question?: Question;
  /** Returns the server's message. */
  run: () => Promise<ActionResult>;
  /** How to revert it, given the order after the action; undefined when it cannot be reverted. */
  undo?: (after: OrderState) => (() => Promise<ActionResult>) | undefined;
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

type OrderState = Pick<
  OrderDetails,
  'order_id' | 'process_status' | 'updated_at' | 'assign_to' | 'allowed'
>;

/** The moves that the server allows. */
export function movesOf(order: OrderState): OrderAction[] {
  return TARGETS.filter(([target]) => isAllowed(order, target)).map(([target, label]) =>
    move(order, target, label),
  );
}

/** The actions on the order's owner and on its deletion that the server allows. */
export function ownActionsOf(order: OrderState, me: UserInfo): OrderAction[] {
  const ids = [order.order_id];
  const actions: OrderAction[] = [];
  if (order.allowed.restore) {
    const { label } = restoreOrders;
    const question = {
      title: 'Restore',
      text: 'Are you sure you want to restore this order?',
      yes: 'Yes, restore',
    };
    actions.push({ label, kind: 'primary', question, run: () => restore(ids) });
  }
  if (order.allowed.assign_to_me) {
    const { label, question } = assignToMe;
    const run = () => assign(ids, me.name);
    actions.push({ label, kind: 'primary', question, run, undo: () => () => assign(ids, '') });
  }
  if (order.allowed.unassign) {
    const { label, question } = moveToOriginalFolder;
    const owner = order.assign_to ?? '';
    const run = () => assign(ids, '');
    actions.push({ label, question, run, undo: () => () => assign(ids, owner) });
  }
  return actions;
}

function move(order: OrderState, target: ProcessStatus, label: string): OrderAction {
  const action: OrderAction = {
    label,
    run: () => moveTo([order.order_id], target, order.updated_at),
    undo: (after) => moveBack(after, order.process_status),
  };
  if (target !== 'Deleted') return action;
  return { ...action, kind: 'danger', question: deleteOrders.question };
}

function isAllowed({ allowed }: OrderState, target: ProcessStatus): boolean {
  return target === 'Deleted' ? allowed.delete : allowed.moves.includes(target);
}

/** Returns the order to a status; undefined where the server would refuse. */
function moveBack(
  order: OrderState,
  before: ProcessStatus,
): (() => Promise<ActionResult>) | undefined {
  const ids = [order.order_id];
  if (order.allowed.restore) return () => restore(ids);
  return isAllowed(order, before) ? () => moveTo(ids, before, order.updated_at) : undefined;
}
