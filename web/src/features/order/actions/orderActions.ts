import type { Allowed, AllowedInList, ProcessStatus, UserInfo } from '@/api/types';
import type { OrderActivity } from '@/api/liveCalls';
import type { Question } from '@/ui/ConfirmDialog';
import type { Key } from '@/ui/keys';
import { formatCount } from '@/ui/numbers';
import { STATUSES } from '../statuses';
import {
  assign,
  changeStatus,
  completeRefunds,
  handOverTo,
  moveTo,
  reassignTo,
  restore,
  sendRefundMails,
  stopRefundMails,
  type ActionResult,
  type Given,
} from './orderCalls';
import { mailsSummary, refundsSummary, summaryOf } from './summaries';

/** The orders of an action, and where it was started. */
export interface Target {
  ids: number[];
  me: UserInfo;
  /** To whom the orders are given, and why. */
  given?: Given;
  /** The list that the orders were chosen in. */
  folderName?: string;
  /** The time of the last change of the order on the screen: a later one refuses the action. */
  updatedAt?: string;
}

/** The question before an action. Its title says what the action does with how many orders. */
export interface OrdersQuestion extends Omit<Question, 'title'> {
  /** `orders` is such as `order 100234` or `500 orders`. */
  title: (orders: string) => string;
}

/** The presentation of an action, whatever sends it. */
export interface OfferedAction {
  label: string;
  /** The button on an order's own screen, where it differs. */
  ownLabel?: string;
  /** The label where no heading beside it says what it does. */
  fullLabel?: string;
  /** Asked before it runs. */
  question?: OrdersQuestion;
  kind?: 'primary' | 'danger';
  /** The key that runs it. */
  key?: Key;
  /** Returns true if the server allows the action for an order. */
  isAllowed: (allowed: AllowedInList | Allowed) => boolean;
  /**
   * The action needs only one allowed order: the server counts the others and leaves them
   * unchanged.
   */
  leavesOthers?: boolean;
}

/** The orders of an action in the title of its question. */
export function questionAbout(
  { title, ...question }: OrdersQuestion,
  ids: readonly number[],
): Question {
  return { ...question, title: title(ordersText(ids)) };
}

/** `order 100234` or `500 orders`. */
export function ordersText(ids: readonly number[]): string {
  return ids.length === 1 ? `order ${ids[0]}` : `${formatCount(ids.length)} orders`;
}

/** Something to do with orders. What can be undone says the server, in its answer. */
export interface OrderAction extends OfferedAction {
  /** Asked on an order's own screen instead of `question`. */
  ownQuestion?: OrdersQuestion;
  /** Asks to whom the orders are given. Its title names them. */
  giving?: { title: (orders: string) => string; yes: string; needsNote: boolean };
  /** Colleagues are told while it is asked about and sent. One who has begun the same on an order is named first. */
  activity?: OrderActivity;
  /** The orders leave the list that the action is run in. */
  leavesList?: boolean;
  /** Changes all of `ids` or none. */
  run: (target: Target) => Promise<ActionResult>;
  /** Returns one message for the results of several calls. */
  summary?: (results: readonly ActionResult[]) => string;
  /** A further action on the same orders that its toast offers. */
  followUp?: (results: readonly ActionResult[]) => OrderAction | undefined;
}

/** An action on one order that a form of its own asks about and sends. */
export interface FormAction extends OfferedAction {
  form: 'takeBackRefund';
}

export const assignToMe: OrderAction = {
  label: 'Assign to me',
  kind: 'primary',
  key: 'a',
  isAllowed: (allowed) => allowed.assign_to_me,
  question: {
    title: (orders) => `Assign ${orders} to me`,
    text: 'Are you sure want to assigned orders.',
    yes: 'Yes, assign',
  },
  run: ({ ids, me }) => assign(ids, me.name),
};

export const moveToOriginalFolder: OrderAction = {
  label: 'Move to Original Folder',
  isAllowed: (allowed) => allowed.unassign,
  question: {
    title: (orders) => `Move ${orders} to Original Folder`,
    text: 'Are you sure want to move orders to new orders.',
    yes: 'Yes, move',
  },
  run: ({ ids }) => assign(ids, ''),
};

export const handOver: OrderAction = {
  label: 'Hand over',
  isAllowed: (allowed) => allowed.hand_over,
  giving: { title: (orders) => `Hand over ${orders}`, yes: 'Hand over', needsNote: false },
  run: ({ ids, given }) => handOverTo(ids, given),
};

export const reassign: OrderAction = {
  label: 'Reassign',
  isAllowed: (allowed) => allowed.reassign,
  giving: { title: (orders) => `Reassign ${orders}`, yes: 'Reassign', needsNote: true },
  run: ({ ids, given }) => reassignTo(ids, given),
};

export const deleteOrders: OrderAction = {
  label: 'Delete Order',
  ownLabel: 'Delete',
  kind: 'danger',
  isAllowed: (allowed) => allowed.delete,
  question: {
    title: (orders) => `Delete ${orders}`,
    text: 'Are you sure you want to delete?',
    yes: 'Yes, delete',
    danger: true,
  },
  leavesList: true,
  run: ({ ids, folderName, updatedAt }) =>
    folderName === undefined
      ? moveTo(ids, 'Deleted', updatedAt)
      : changeStatus(ids, 'Deleted', folderName),
};

export const restoreOrders: OrderAction = {
  label: 'Restore',
  kind: 'primary',
  isAllowed: (allowed) => allowed.restore,
  question: {
    title: (orders) => `Restore ${orders}`,
    text: 'Are you sure you want to restore the selected orders?',
    yes: 'Yes, restore',
  },
  ownQuestion: {
    title: (orders) => `Restore ${orders}`,
    text: 'Are you sure you want to restore this order?',
    yes: 'Yes, restore',
  },
  run: ({ ids }) => restore(ids),
};

const sendMailsAfterAll: OrderAction = {
  label: 'Send anyway',
  isAllowed: () => true,
  run: ({ ids }) => sendRefundMails(ids),
  summary: mailsSummary('are on the way'),
};

/** Stops the emails about refunds that wait; the marks stay. */
export const stopMails: OrderAction = {
  label: 'Stop the emails',
  isAllowed: () => true,
  run: ({ ids }) => stopRefundMails(ids),
  summary: mailsSummary('stopped'),
  followUp: () => sendMailsAfterAll,
};

/** Marks orders as refunded and mails each customer once. Only the emails can be stopped, while they wait. */
export const refundedIt: OrderAction = {
  label: 'Refunded it',
  kind: 'primary',
  isAllowed: (allowed) => allowed.refund,
  leavesOthers: true,
  activity: 'refunding',
  question: {
    title: (orders) => `Mark ${orders} as refunded`,
    text: 'Are you sure you want to mark the selected orders as refunded?',
    yes: 'Yes, mark as refunded',
  },
  run: ({ ids }) => completeRefunds(ids),
  summary: refundsSummary,
  followUp: (results) => (results.some((result) => result.mails_leave_at) ? stopMails : undefined),
};

/** Withdraws the mark of a refund that was a mistake. */
export const takeBackRefund: FormAction = {
  label: 'Take refund mark back',
  isAllowed: (allowed) => 'take_back_refund' in allowed && allowed.take_back_refund,
  form: 'takeBackRefund',
};

/** The actions on the owner of an order and on its deletion. */
const OWN: readonly OrderAction[] = [
  restoreOrders,
  assignToMe,
  moveToOriginalFolder,
  handOver,
  reassign,
];

/** The moves on an order's own screen. */
const MOVES: readonly OrderAction[] = (Object.keys(STATUSES) as ProcessStatus[]).flatMap((to) => {
  const label = STATUSES[to].move;
  return label === null ? [] : [move(to, label)];
});

function move(to: ProcessStatus, label: string): OrderAction {
  return {
    label,
    fullLabel: `Move to ${label}`,
    isAllowed: (allowed) => 'moves' in allowed && allowed.moves.includes(to),
    run: ({ ids, updatedAt }) => moveTo(ids, to, updatedAt),
  };
}

/** Returns true if the server allows the action for `orders`. */
export function isOffered(
  action: OfferedAction,
  orders: readonly { allowed: AllowedInList | Allowed }[],
): boolean {
  const isAllowed = ({ allowed }: (typeof orders)[number]) => action.isAllowed(allowed);
  return action.leavesOthers ? orders.some(isAllowed) : orders.every(isAllowed);
}

/** The moves of an order, and the withdrawal of its refund mark, that the server allows. */
export function movesOf(order: { allowed: Allowed }): (OrderAction | FormAction)[] {
  return [...MOVES, deleteOrders, takeBackRefund].filter((action) => isOffered(action, [order]));
}

/** The actions on the owner of an order and on its deletion that the server allows. */
export function ownActionsOf(order: { allowed: Allowed }): OrderAction[] {
  return OWN.filter((action) => isOffered(action, [order]));
}

/** The button of an action on a single order. */
export function ownLabelOf({ label, ownLabel = label }: OfferedAction): string {
  return ownLabel;
}

/** The key that undoes the last change of this tab. */
export const UNDO_KEY = 'u';

/** The key that takes the next order. */
export const TAKE_KEY = 't';

/** The key that opens all actions on the shown order. */
export const MOVE_KEY = 'm';

/** The message about the results of an action's calls. */
export function messageOfResults(action: OrderAction, results: readonly ActionResult[]): string {
  return (action.summary ?? summaryOf)(results);
}
