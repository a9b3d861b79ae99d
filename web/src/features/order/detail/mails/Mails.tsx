import { useId } from 'react';
import type { OrderDetails } from '@/api/types';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { Field } from '@/ui/Field';
import { RestoredNote } from '@/ui/Form';
import { UploadDocument } from '../documents/UploadDocument';
import classes from './Mails.module.css';
import { MailForm } from './MailForm';
import { RevokeLinks } from './RevokeLinks';
import { useRecipient } from './useRecipient';

const RESEND = [
  { provider: 'AWS', text: 'AWS', name: 'Resend via AWS' },
  { provider: 'Sendgrid', text: 'Sendgrid', name: 'Resend via Sendgrid' },
] as const;

const PROVIDERS = ['AWS', 'Sendgrid'] as const;

interface MailsProps {
  order: OrderDetails;
  /** Shows a stored file in the viewer. */
  onShow: (file1: string) => void;
  onViewContent: () => void;
}

/** The mails that can be sent about the order, and the address of all of them. */
export function Mails({ order, onShow, onViewContent }: MailsProps) {
  const titleId = useId();
  const orderId = order.order_id;
  const recipient = useRecipient(order);
  const { upload_visa: mayUpload, send_mail: maySend } = order.allowed;
  const account = order.user.email;
  const available = order.mail_providers;
  const missing = PROVIDERS.filter((provider) => !available.includes(provider));
  const addressesId = useId();
  return (
    <Card as="section" className={classes.mails} aria-labelledby={titleId}>
      <div className={classes.head}>
        <h2 id={titleId}>Emails</h2>
        <Button small onClick={onViewContent}>
          View Email Content
        </Button>
      </div>
      {(mayUpload || maySend) && (
        <div className={classes.recipient}>
          {recipient.restored && <RestoredNote {...recipient.restored} />}
          <Field
            label="Email"
            type="email"
            inputMode="email"
            list={account ? addressesId : undefined}
            hint={recipient.hint ?? 'All emails below go to this address.'}
            {...recipient.field}
          />
          {account && (
            <datalist id={addressesId}>
              <option value={order.contact_email_address} />
              <option value={account} />
            </datalist>
          )}
        </div>
      )}
      {(mayUpload || maySend) && missing.length > 0 && (
        <p className={classes.missing}>
          {missing.join(' and ')} is not set up here, so its buttons are disabled. An Admin can set
          it up.
        </p>
      )}
      <div className={classes.ways}>
        <UploadDocument order={order} recipient={recipient} onShow={onShow} />
        {maySend && (
          <div>
            <MailForm
              order={order}
              label="Resend email"
              text="Resend email via"
              buttons={RESEND}
              recipient={recipient}
              send={(post, email, provider) =>
                post('/api/admin/resend-mail', { orderId, email, mailServiceProvider: provider })
              }
            />
            <MailForm
              order={order}
              label="Send the download link"
              text="Download link"
              buttons={[{ provider: available[0] ?? 'AWS', text: 'Sent Mail' }]}
              recipient={recipient}
              send={(post, email) => post('/api/admin/send-download-mail', { orderId, email })}
            />
            <RevokeLinks order={order} />
          </div>
        )}
      </div>
    </Card>
  );
}
