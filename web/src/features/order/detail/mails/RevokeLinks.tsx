import type { OrderDetails } from '@/api/types';
import { Button } from '@/ui/Button';
import { useConfirm } from '@/ui/useConfirm';
import { useOrderPost } from '../useOrderPost';
import { revokeMailedLinks } from './mailCalls';
import classes from './RevokeLinks.module.css';

const QUESTION = {
  title: 'Revoke the links in sent emails?',
  text: 'They will no longer open this order, and its open pages are closed. The customer can still enter the email or ask for a new email.',
  yes: 'Yes, revoke',
  danger: true,
};

/** Revokes the links in the mails that were sent, for a mail that reached the wrong person. */
export function RevokeLinks({ order }: { order: OrderDetails }) {
  const [ask, dialog] = useConfirm();
  const { submit } = useOrderPost();
  const revoke = async () => {
    if (await ask(QUESTION)) await submit('revoke', () => revokeMailedLinks(order.order_id));
  };
  return (
    <div className={classes.revoke}>
      <Button small onClick={() => void revoke()}>
        Revoke emailed links
      </Button>
      {dialog}
    </div>
  );
}
