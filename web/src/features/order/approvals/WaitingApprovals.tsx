import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { paths } from '@/paths/staffPaths';
import { formatCount } from '@/ui/numbers';
import { refundApprovalCountsQuery } from './approvalCalls';
import classes from './WaitingApprovals.module.css';

/** A link to the requests for refunds, while some wait. */
export function WaitingApprovals() {
  const { data } = useQuery(refundApprovalCountsQuery);
  if (!data || data.to_decide + data.own === 0) return null;
  return (
    <section aria-label="Waiting refund approvals" className={classes.waiting}>
      <Link to={paths.refundApprovals}>{textOf(data.to_decide, data.own)}</Link>
    </section>
  );
}

function textOf(toDecide: number, own: number): string {
  const requests =
    toDecide === 1 ? '1 refund request waits' : `${formatCount(toDecide)} refund requests wait`;
  const decide = `${requests} for your decision`;
  if (own === 0) return decide;
  if (toDecide > 0) return `${decide}, ${formatCount(own)} of your own for approval`;
  return own === 1
    ? 'Your refund request waits for approval'
    : `${formatCount(own)} of your refund requests wait for approval`;
}
