import { useState, type SyntheticEvent } from 'react';
import type { OrderDetails } from '@/api/types';
import { Button } from '@/ui/Button';
import { Form } from '@/ui/Form';
import { useOrderPost, type OrderPost } from '../useOrderPost';
import type { MailProvider } from './mailCalls';
import classes from './MailForm.module.css';
import type { Recipient } from './useRecipient';

interface MailFormProps {
  order: OrderDetails;
  /** The accessible name of the form. */
  label: string;
  /** The text before the buttons. */
  text: string;
  /** The buttons, one per provider, each with its label and its accessible name. */
  buttons: readonly { provider: MailProvider; text: string; name?: string }[];
  recipient: Recipient;
  /** Returns whether it succeeded. */
  send: (post: OrderPost, email: string, provider: MailProvider) => Promise<boolean>;
}

/** Buttons that send a mail to the recipient. */
export function MailForm({ order, label, text, buttons, recipient, send }: MailFormProps) {
  const [busy, setBusy] = useState(false);
  const { post } = useOrderPost();
  const submit = async (provider: MailProvider) => {
    setBusy(true);
    try {
      const email = await recipient.take();
      if (email === null) return;
      if (await send(post, email, provider)) recipient.dropDraft();
    } finally {
      setBusy(false);
    }
  };
  return (
    <Form
      className={classes.form}
      aria-label={label}
      busy={busy}
      onSubmit={(event) => submit(providerOf(event))}
    >
      <span>{text}</span>
      {buttons.map(({ provider, text, name }) => (
        <Button
          key={provider}
          small
          type="submit"
          name="provider"
          value={provider}
          aria-label={name}
          busy={busy}
          disabled={!order.mail_providers.includes(provider)}
        >
          {text}
        </Button>
      ))}
    </Form>
  );
}

/** The provider of the pressed button. Enter in a field presses the first one. */
export function providerOf(event: SyntheticEvent): MailProvider {
  const { submitter } = event.nativeEvent as SubmitEvent;
  return submitter instanceof HTMLButtonElement && submitter.value === 'Sendgrid'
    ? 'Sendgrid'
    : 'AWS';
}
