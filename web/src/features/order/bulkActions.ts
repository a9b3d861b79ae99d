import type { AllowedInList, OrderSummary, UserInfo } from '@/api/types';
import type { Question } from '@/ui/ConfirmDialog';
import {
  assign,
  changeStatus,
  completeRefunds,
  moveTo,
  restore,
  sendRefundMails,
  stopRefundMails,
  type ActionResult,
} from './orderCalls';

/** The member who runs an action, and the folder it runs in. */
export interface BulkContext {
  me: UserInfo;
  folderName: string;
}

/** An action on many orders at once. */
export interface BulkAction {
  /** The button. */
  label: string;
  question: Question;
  /** Offered only when each selected row allows it; without one it is always offered. */
  right?: keyof AllowedInList;
  /** The orders leave the list that the action is run in. */
  leavesList?: boolean;
  /** Changes all of `ids` or none. */
  run: (ids: number[], context: BulkContext) => Promise<ActionResult>;
  /** What the toast offers after it. */
  offer?: (results: readonly ActionResult[]) => Offer | undefined;
}

/** A further action on the same orders, offered in a toast. */
export interface Offer extends Pick<BulkAction, 'run' | 'offer'> {
  /** The button. */
  label: string;
}

function undo(run: BulkAction['run']): BulkAction['offer'] {
  return () => ({ label: 'Undo', run });
}

/** Whether the server allows the action on each of `rows`. */
export function isOffered(
  { right }: BulkAction,
  rows: readonly Pick<OrderSummary, 'allowed'>[],
): boolean {
  return right === undefined || rows.every(({ allowed }) => allowed[right]);
}

export const assignToMe: BulkAction = {
  label: 'Assign to me',
  right: 'assign_to_me',
  question: {
    title: 'Assign to me',
    text: 'Are you sure want to assigned orders.',
    yes: 'Yes, assign',
  },
  run: (ids, { me }) => assign(ids, me.name),
  offer: undo((ids) => assign(ids, '')),
};

export const moveToOriginalFolder: BulkAction = {
  label: 'Move to Original Folder',
  right: 'unassign',
  question: {
    title: 'Move to Original Folder',
    text: 'Are you sure want to move orders to new orders.',
    yes: 'Yes, move',
  },
  run: (ids) => assign(ids, ''),
  offer: undo((ids, { me }) => assign(ids, me.name)),
};

export const deleteOrders: BulkAction = {
  label: 'Delete Order',
  right: 'delete',
  question: {
    title: 'Delete Order',
    text: 'Are you sure you want to delete?',
    yes: 'Yes, delete',
    danger: true,
  },
  leavesList: true,
  run: (ids, { folderName }) => changeStatus(ids, 'Deleted', folderName),
  // A member who may not restore can only have deleted from the future list, where all orders are Future.
  offer: undo((ids, { me }) => (me.may.restore_orders ? restore(ids) : moveTo(ids, 'Future'))),
};

export const restoreOrders: BulkAction = {
  label: 'Restore',
  right: 'restore',
  question: {
    title: 'Restore',
    text: 'Are you sure you want to restore the selected orders?',
    yes: 'Yes, restore',
  },
  run: restore,
};

/** Stops the emails about refunds that wait; the marks stay. */
export const stopMails: Offer = {
  label: 'Stop the emails',
  run: stopRefundMails,
  offer: () => ({ label: 'Send them after all', run: sendRefundMails }),
};

/**
 * Marks orders as refunded and mails each customer once. Only the emails can be stopped, while they wait. It needs no
 * right: the server counts the orders that were refunded before and leaves them unchanged.
 */
export const refundedIt: BulkAction = {
  label: 'Refunded it',
  question: {
    title: 'Refunded it',
    text: 'Are you sure you want to mark the selected orders as refunded?',
    yes: 'Yes, mark as refunded',
  },
  run: completeRefunds,
  offer: (results) => (results.some((result) => result.mails_leave_at) ? stopMails : undefined),
};
