import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import type { OrderDetails } from '@/api/types';
import { Button } from '@/ui/Button';
import { Field } from '@/ui/Field';
import { useOrderPost } from '../useOrderPost';
import type { MailProvider, SendMail } from './mailCalls';
import classes from './MailForm.module.css';
import { unknownRecipientHint } from './unknownRecipientHint';

const mailForm = z.object({
  email: z
    .string()
    .check(z.trim(), z.minLength(1, 'Please enter your email'), z.email('Invalid email address')),
});

type MailFields = z.infer<typeof mailForm>;

interface MailFormProps {
  order: OrderDetails;
  /** The accessible name of the form. */
  label: string;
  /** One button per provider, with its label and its accessible name. */
  buttons: readonly { provider: MailProvider; text: string; name?: string }[];
  /** The text before the buttons. */
  by?: string;
  /** Returns the server's message. */
  send: (mail: SendMail) => Promise<string>;
}

/** An email address and buttons that send a mail to it. */
export function MailForm({ order, label, buttons, by, send }: MailFormProps) {
  const orderId = order.order_id;
  const { register, handleSubmit, watch, formState } = useForm<MailFields>({
    mode: 'all',
    resolver: zodResolver(mailForm),
    defaultValues: { email: order.contact_email_address },
  });
  const { errors, isSubmitting } = formState;
  const post = useOrderPost();
  const submit = (provider: MailProvider) =>
    handleSubmit(async ({ email }) => {
      await post({ email, provider }, (key) => send({ orderId, email, provider, key }));
    });
  return (
    <form
      className={classes.form}
      aria-label={label}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isSubmitting) void submit(providerOf(event))(event);
      }}
    >
      <Field
        label="Email"
        type="email"
        autoComplete="off"
        inputMode="email"
        readOnly={isSubmitting}
        error={errors.email?.message}
        hint={unknownRecipientHint(order, watch('email'))}
        {...register('email')}
      />
      <div className={classes.buttons}>
        {by && <span>{by}</span>}
        {buttons.map(({ provider, text, name }, index) => (
          <Button
            key={provider}
            type="submit"
            name="provider"
            value={provider}
            kind={index === 0 ? 'primary' : undefined}
            aria-label={name}
            busy={isSubmitting}
          >
            {text}
          </Button>
        ))}
      </div>
    </form>
  );
}

/** The provider of the pressed button. Enter in a field presses the first one. */
export function providerOf(event: React.SyntheticEvent): MailProvider {
  const { submitter } = event.nativeEvent as SubmitEvent;
  return submitter instanceof HTMLButtonElement && submitter.value === 'Sendgrid'
    ? 'Sendgrid'
    : 'AWS';
}
