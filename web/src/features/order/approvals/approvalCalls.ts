import { queryOptions } from '@tanstack/react-query';
import { answer, api } from '@/api/client';
import { ORDER } from '../orderQueries';

/**
 * The numbers of requests for refunds that wait: for the member's decision, and the member's own.
 */
export const refundApprovalCountsQuery = queryOptions({
  queryKey: [...ORDER, 'refund approval counts'],
  queryFn: async ({ signal }) =>
    (await answer(api.GET('/api/admin/refund-approval-counts', { signal }))).data,
});

/** The requests for refunds that wait, and those that ended lately. */
export const refundApprovalsQuery = queryOptions({
  queryKey: [...ORDER, 'refund approvals'],
  queryFn: async ({ signal }) =>
    (await answer(api.GET('/api/admin/refund-approvals', { signal }))).data,
});

/** The calls that end a request. */

export function approve(approvalId: number, note: string) {
  const body = { approvalId, note };
  return answer(api.PUT('/api/admin/approve-refunds', { body }));
}

export function decline(approvalId: number, note: string) {
  const body = { approvalId, note };
  return answer(api.PUT('/api/admin/decline-refunds', { body }));
}

export function withdraw(approvalId: number) {
  const body = { approvalId };
  return answer(api.PUT('/api/admin/withdraw-refunds', { body }));
}
