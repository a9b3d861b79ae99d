import { CopyButton } from '@/ui/CopyButton';
import { Form } from '@/ui/Form';
import { QrCode } from '@/ui/QrCode';
import { CodeField } from './CodeField';
import type { Enrolment } from './secondStep';
import { SetupActions } from './SetupActions';
import classes from './setupForm.module.css';
import { oneTimeCode, useOneField } from './useOneField';

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
  const { form, field } = useOneField(oneTimeCode, onCode);
  return (
    <Form className={classes.setup} aria-label="Authenticator app" {...form}>
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
      <CodeField {...field} />
      <SetupActions label="Turn on" onCancel={onCancel} />
    </Form>
  );
}

/** Groups of four letters, which are easier to type. */
function inGroups(secret: string): string {
  return (secret.match(/.{1,4}/g) ?? []).join(' ');
}
