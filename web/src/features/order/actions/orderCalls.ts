import type { AttemptHeaders } from '@/api/attempt';
import { answer, api } from '@/api/client';
import type { ProcessStatus } from '@/api/types';

/** The outcome of a call. */
export interface ActionResult {
  message: string;
  /** The number of orders or emails that the call changed. */
  changed?: number;
  /**
   * The event that the server can undo, and the deadline; null: the server cannot undo the call.
   */
  undo?: { event_id: number; until: string } | null;
  refunded?: number;
  already_refunded?: number;
  /** When the emails about the refunds leave; until then they can be stopped. */
  mails_leave_at?: string | null;
  /** The request that waits for a second person; nothing was refunded. */
  approval?: { orders: number } | null;
}

/** A member who gets orders, and what they should know. */
export interface Given {
  to: string;
  note: string;
}

/** The calls that change orders. Each changes all of `ids` or none. */

export async function assign(ids: number[], assignto: string): Promise<ActionResult> {
  const body = { orderId: ids, assignto };
  return answer(api.PUT('/api/admin/assign-order-status', { body }));
}

/** Gives orders of any owner to another member. */
export async function reassignTo(ids: number[], given: Given | undefined): Promise<ActionResult> {
  const body = { orderId: ids, assignto: given?.to ?? '', note: given?.note ?? '' };
  return answer(api.PUT('/api/admin/reassign-orders', { body }));
}

/** Gives the member's own orders to another member. */
export async function handOverTo(ids: number[], given: Given | undefined): Promise<ActionResult> {
  const body = { orderId: ids, assignto: given?.to ?? '', note: given?.note ?? '' };
  return answer(api.PUT('/api/admin/hand-over-orders', { body }));
}

/** Gives the member the most urgent order without an owner; null in `data`: there is none. */
export async function takeNextOrder(headers: AttemptHeaders) {
  return answer(api.POST('/api/admin/take-next', { headers }));
}

export async function changeStatus(
  ids: number[],
  updatingStatus: ProcessStatus,
  folderName: string,
): Promise<ActionResult> {
  const body = { orderId: ids, updatingStatus, folderName, permanentDeletedFlag: false };
  return answer(api.PUT('/api/admin/change-order-status', { body }));
}

/** With `updated_at`, the move is refused when the order changed since then. */
export async function moveTo(
  ids: number[],
  updatingStatus: ProcessStatus,
  updated_at?: string,
): Promise<ActionResult> {
  const body = { orderId: ids, updatingStatus, updated_at };
  return answer(api.PUT('/api/admin/move-order-status', { body }));
}

export async function restore(ids: number[]): Promise<ActionResult> {
  const body = { orderId: ids };
  return answer(api.PUT('/api/admin/restore-orders', { body }));
}

/** Undoes a change of one's own, by its event. */
export async function undoEvent(eventId: number): Promise<ActionResult> {
  return answer(api.POST('/api/admin/undo', { body: { eventId } }));
}

/** Orders that were refunded before are counted and left unchanged. */
export async function completeRefunds(ids: number[]): Promise<ActionResult> {
  const body = { orderId: ids };
  return answer(api.PUT('/api/admin/move-to-complete-refund', { body }));
}

/** Stops the emails about refunds that have not left. */
export async function stopRefundMails(ids: number[]): Promise<ActionResult> {
  const body = { orderId: ids };
  return answer(api.PUT('/api/admin/stop-refund-mails', { body }));
}

/** Sends stopped emails about refunds after all. */
export async function sendRefundMails(ids: number[]): Promise<ActionResult> {
  const body = { orderId: ids };
  return answer(api.PUT('/api/admin/send-refund-mails', { body }));
}
