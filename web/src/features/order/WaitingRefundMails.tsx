import { useQuery } from '@tanstack/react-query';
import { Button } from '@/ui/Button';
import { Time } from '@/ui/Time';
import { formatCount } from '@/ui/numbers';
import { waitingRefundMailsQuery } from './orderQueries';
import classes from './WaitingRefundMails.module.css';

interface WaitingRefundMailsProps {
  busy: boolean;
  onStop: (orderIds: readonly number[]) => void;
}

/** The emails about refunds that wait, with a button that stops them. */
export function WaitingRefundMails({ busy, onStop }: WaitingRefundMailsProps) {
  const { data } = useQuery(waitingRefundMailsQuery);
  if (!data?.leave_at) return null;
  const count = data.order_ids.length;
  return (
    <section aria-label="Waiting refund emails" className={classes.waiting}>
      <span>
        {count === 1 ? '1 refund email is' : `${formatCount(count)} refund emails are`} sent from{' '}
        <Time iso={data.leave_at} />
      </span>
      <Button small disabled={busy} onClick={() => onStop(data.order_ids)}>
        Stop
      </Button>
    </section>
  );
}
