import { useMe } from '@/session/me';
import { RefundApprovals } from '@/features/order/approvals/RefundApprovals';

/** The refunds that wait for a second person. */
export function RefundApprovalsPage() {
  return <RefundApprovals me={useMe()} />;
}
