import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect } from 'react';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { messageOf } from '@/api/ApiError';
import { Field } from '@/ui/Field';
import { Form } from '@/ui/Form';
import { SetupActions } from './SetupActions';
import classes from './setupForm.module.css';

const MAX_NAME_LEN = 60;

const named = z.object({
  name: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, 'Please name the passkey'),
      z.maxLength(MAX_NAME_LEN, `At most ${MAX_NAME_LEN} characters`),
    ),
});

interface PasskeySetupProps {
  /** Creates the passkey and sends it. A refusal is shown at the field. */
  onName: (name: string) => Promise<void>;
  /** Closes the dialog, when the form is in one. */
  onCancel?: () => void;
}

/** The name of a new passkey, and the button that creates it. */
export function PasskeySetup({ onName, onCancel }: PasskeySetupProps) {
  const { register, handleSubmit, setError, setFocus, formState } = useForm<z.infer<typeof named>>({
    resolver: zodResolver(named),
    defaultValues: { name: '' },
  });
  const { errors, isSubmitting } = formState;
  useEffect(() => setFocus('name'), [setFocus]);
  const submit = async ({ name }: z.infer<typeof named>) => {
    try {
      await onName(name);
    } catch (error) {
      setError('name', { message: messageOf(error) }, { shouldFocus: true });
    }
  };
  return (
    <Form
      className={classes.setup}
      aria-label="Passkey"
      busy={isSubmitting}
      onSubmit={handleSubmit(submit)}
    >
      <p>
        Your browser asks for your fingerprint, your face, a PIN or a security key. Nothing of them
        leaves your device.
      </p>
      <Field
        label="Name of the passkey"
        placeholder="Work laptop"
        error={errors.name?.message}
        {...register('name')}
      />
      <SetupActions label="Add the passkey" onCancel={onCancel} />
    </Form>
  );
}
