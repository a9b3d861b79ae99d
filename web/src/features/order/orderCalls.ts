import { answer, api } from '@/api/client';
import type { ProcessStatus } from '@/api/types';

/** The calls that change orders. Each changes all of `ids` or none and returns the message. */

export async function assign(ids: number[], assignto: string): Promise<string> {
  const body = { orderId: ids, assignto };
  return (await answer(api.PUT('/api/admin/assign-order-status', { body }))).message;
}

export async function changeStatus(
  ids: number[],
  updatingStatus: ProcessStatus,
  folderName: string,
): Promise<string> {
  const body = { orderId: ids, updatingStatus, folderName, permanentDeletedFlag: false };
  return (await answer(api.PUT('/api/admin/change-order-status', { body }))).message;
}

/** With `updated_at`, the move is refused when the order changed since then. */
export async function moveTo(
  ids: number[],
  updatingStatus: ProcessStatus,
  updated_at?: string,
): Promise<string> {
  const body = { orderId: ids, updatingStatus, updated_at };
  return (await answer(api.PUT('/api/admin/move-order-status', { body }))).message;
}

export async function restore(ids: number[]): Promise<string> {
  const body = { orderId: ids };
  return (await answer(api.PUT('/api/admin/restore-orders', { body }))).message;
}

/** Orders that were refunded before are counted and left unchanged. */
export async function completeRefunds(ids: number[]): Promise<string> {
  const body = { orderId: ids };
  return (await answer(api.PUT('/api/admin/move-to-complete-refund', { body }))).message;
}
