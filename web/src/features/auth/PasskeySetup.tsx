import * as z from 'zod/mini';
import { Field } from '@/ui/Field';
import { Form } from '@/ui/Form';
import { SetupActions } from './SetupActions';
import classes from './setupForm.module.css';
import { useOneField } from './useOneField';

const MAX_NAME_LEN = 60;

const passkeyName = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, 'Please name the passkey'),
    z.maxLength(MAX_NAME_LEN, `At most ${MAX_NAME_LEN} characters`),
  );

interface PasskeySetupProps {
  /** Creates the passkey and sends it. A refusal is shown at the field. */
  onName: (name: string) => Promise<void>;
  /** Closes the dialog, when the form is in one. */
  onCancel?: () => void;
}

/** The name of a new passkey, and the button that creates it. */
export function PasskeySetup({ onName, onCancel }: PasskeySetupProps) {
  const { form, field } = useOneField(passkeyName, onName);
  return (
    <Form className={classes.setup} aria-label="Passkey" {...form}>
      <p>
        Your browser asks for your fingerprint, your face, a PIN or a security key. Nothing of them
        leaves your device.
      </p>
      <Field label="Name of the passkey" placeholder="Work laptop" {...field} />
      <SetupActions label="Add the passkey" onCancel={onCancel} />
    </Form>
  );
}
