import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect } from 'react';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { messageOf } from '@/api/ApiError';
import { CopyButton } from '@/ui/CopyButton';
import { Form } from '@/ui/Form';
import { QrCode } from '@/ui/QrCode';
import { CodeField } from './CodeField';
import type { Enrolment } from './secondStep';
import { SetupActions } from './SetupActions';
import classes from './setupForm.module.css';

const first = z.object({
  code: z.string().check(z.trim(), z.minLength(1, 'Please enter the code')),
});

interface AuthenticatorSetupProps {
  /** Undefined while it loads. */
  enrolment: Enrolment | undefined;
  /** Sends the first code. A refusal is shown at the field. */
  onCode: (code: string) => Promise<void>;
  /** Closes the dialog, when the form is in one. */
  onCancel?: () => void;
}

/** The QR code of an authenticator app, and the field for its first code. */
export function AuthenticatorSetup({ enrolment, onCode, onCancel }: AuthenticatorSetupProps) {
  const { register, handleSubmit, setError, setFocus, formState } = useForm<z.infer<typeof first>>({
    resolver: zodResolver(first),
    defaultValues: { code: '' },
  });
  const { errors, isSubmitting } = formState;
  useEffect(() => setFocus('code'), [setFocus]);
  const submit = async ({ code }: z.infer<typeof first>) => {
    try {
      await onCode(code);
    } catch (error) {
      setError('code', { message: messageOf(error) }, { shouldFocus: true });
    }
  };
  return (
    <Form
      className={classes.setup}
      aria-label="Authenticator app"
      busy={isSubmitting}
      onSubmit={handleSubmit(submit)}
    >
      <p>Scan this with an authenticator app on your phone, and enter the code that it shows.</p>
      {enrolment ? (
        <QrCode text={enrolment.url} label="QR code for the authenticator app" />
      ) : (
        <div className={classes.waiting} aria-hidden="true" />
      )}
      <p className={classes.secret}>
        Or type this key into the app: <code>{inGroups(enrolment?.secret ?? '')}</code>
        {enrolment && <CopyButton text={enrolment.secret} what="Key" />}
      </p>
      <CodeField error={errors.code?.message} {...register('code')} />
      <SetupActions label="Turn on" onCancel={onCancel} />
    </Form>
  );
}

/** Groups of four letters, which are easier to type. */
function inGroups(secret: string): string {
  return (secret.match(/.{1,4}/g) ?? []).join(' ');
}
