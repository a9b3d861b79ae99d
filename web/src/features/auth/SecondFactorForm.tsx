import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { ApiError, messageOf } from '@/api/ApiError';
import { answer, api } from '@/api/client';
import { notify } from '@/ui/notify';
import { CodeField } from './CodeField';
import type { Session } from './secondStep';
import classes from './signInSteps.module.css';

const FEW_CODES = 3;

const step = z.object({
  code: z.string().check(z.trim(), z.minLength(1, 'Please enter the code')),
});

export interface SecondStepProps {
  challenge: string;
  onSignedIn: (session: Session) => Promise<void>;
  /** Called when the password has to be entered again. */
  onRestart: () => void;
}

/** The code of the authenticator app, or a recovery code. */
export function SecondFactorForm({ challenge, onSignedIn, onRestart }: SecondStepProps) {
  const [isLost, setLost] = useState(false);
  const { register, handleSubmit, setError, setFocus, setValue, clearErrors, formState } = useForm<
    z.infer<typeof step>
  >({
    resolver: zodResolver(step),
    defaultValues: { code: '' },
  });
  const { errors, isSubmitting } = formState;

  useEffect(() => setFocus('code'), [setFocus]);

  const submit = async ({ code }: z.infer<typeof step>) => {
    try {
      const body = { challenge, code };
      const session = await answer(api.POST('/api/admin/sign-in-second-factor', { body }));
      if (isLost) warnOfFewCodes(session.recovery_codes_left);
      await onSignedIn(session);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'challenge_ended') {
        notify.error(messageOf(error));
        onRestart();
        return;
      }
      setError('code', { message: messageOf(error) }, { shouldFocus: true });
    }
  };

  return (
    <form
      className={classes.form}
      aria-busy={isSubmitting}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isSubmitting) void handleSubmit(submit)(event);
      }}
    >
      <h1>Confirm that it is you</h1>
      <CodeField isRecovery={isLost} error={errors.code?.message} {...register('code')} />
      <div className={classes.row}>
        <button
          type="button"
          className={classes.link}
          onClick={() => {
            setValue('code', '');
            clearErrors();
            setLost(!isLost);
            setFocus('code');
          }}
        >
          {isLost ? 'Use the app' : 'Use a recovery code'}
        </button>
        <button type="button" className={classes.link} onClick={onRestart}>
          Back
        </button>
      </div>
      <button type="submit" className="button" data-kind="primary" aria-disabled={isSubmitting}>
        Sign In <span aria-hidden="true">→</span>
      </button>
    </form>
  );
}

function warnOfFewCodes(left: number): void {
  if (left > FEW_CODES) return;
  const codes = left === 1 ? 'One recovery code is' : `${left} recovery codes are`;
  notify.error(`${codes} left. Make new ones under Sign-in Security.`);
}
