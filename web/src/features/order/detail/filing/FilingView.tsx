import type { OrderDetails } from '@/api/types';
import { Card } from '@/ui/Card';
import { CopyButton } from '@/ui/CopyButton';
import classes from './FilingView.module.css';

/** What the government's portal asks for about the order. */
export function FilingView({ order }: { order: OrderDetails }) {
  const email = order.application_email_address;
  return (
    <Card as="section" className={classes.values} aria-label="Values for the portal">
      <h2>Values for the portal</h2>
      <dl>
        <dt>E-mail</dt>
        <dd>
          <bdi>{email}</bdi> <CopyButton text={email} what="E-mail" />
        </dd>
      </dl>
    </Card>
  );
}
