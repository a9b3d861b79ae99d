import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { ApiError, messageOf } from '@/api/ApiError';
import { answer, api } from '@/api/client';
import { auth, useAuth } from '@/session/auth';
import { Button } from '@/ui/Button';
import { Checkbox } from '@/ui/Checkbox';
import { Dialog, DialogActions, DialogText } from '@/ui/Dialog';
import { Field } from '@/ui/Field';
import { Form } from '@/ui/Form';
import { notify } from '@/ui/notify';
import { PasswordField } from '@/ui/PasswordField';
import type { Challenge, Session } from './secondStep';
import classes from './signInSteps.module.css';

const signIn = z.object({
  email: z
    .string()
    .check(z.minLength(1, 'Email Address is required'), z.email('Invalid email address')),
  password: z.string().check(z.minLength(1, 'Password is required')),
  rememberMe: z.boolean(),
});

type SignIn = z.infer<typeof signIn>;

/** The second step that a refused sign-in asks for. */
function challengeOf(error: unknown): Challenge | undefined {
  if (!(error instanceof ApiError) || error.code !== 'second_factor_required') return undefined;
  const { challenge, methods = [], offers = [] } = error.data;
  return challenge === undefined ? undefined : { challenge, methods, offers };
}

/** The server marks the page when "Remember me" is switched off. */
const offersRememberMe = () => document.documentElement.dataset['rememberMe'] !== 'off';

interface SignInFormProps {
  /** Called for a right password that is enough. */
  onSignedIn: (session: Session) => Promise<void>;
  /** Called for one that needs a second factor. */
  onChallenge: (challenge: Challenge) => void;
}

export function SignInForm({ onSignedIn, onChallenge }: SignInFormProps) {
  const loading = useAuth((state) => state.loading);
  const [forgot, setForgot] = useState(false);
  const { register, handleSubmit, formState } = useForm<SignIn>({
    mode: 'all',
    resolver: zodResolver(signIn),
    defaultValues: { email: '', password: '', rememberMe: false },
  });
  const { errors } = formState;

  const submit = async (body: SignIn) => {
    auth.pending();
    try {
      await onSignedIn(await answer(api.POST('/api/admin/admin-login', { body })));
    } catch (error) {
      const challenge = challengeOf(error);
      if (challenge) {
        auth.rejected('');
        onChallenge(challenge);
        return;
      }
      auth.rejected(messageOf(error));
      notify.error(messageOf(error));
    }
  };

  return (
    <Form className={classes.form} busy={loading} onSubmit={handleSubmit(submit)}>
      <h1>Sign in</h1>
      <Field
        label="Email ID"
        placeholder="Your Email Address"
        type="email"
        autoComplete="username"
        inputMode="email"
        error={errors.email?.message}
        {...register('email')}
      />
      <PasswordField
        label="Password"
        autoComplete="current-password"
        error={errors.password?.message}
        {...register('password')}
      />
      <div className={classes.row}>
        {offersRememberMe() && <Checkbox label="Remember me" {...register('rememberMe')} />}
        <Button kind="text" onClick={() => setForgot(true)}>
          Forgot password?
        </Button>
      </div>
      <Button type="submit" kind="primary" busy={loading}>
        Sign In <span aria-hidden="true">→</span>
      </Button>
      {forgot && (
        <Dialog title="Forgot password?" onClose={() => setForgot(false)}>
          <DialogText>
            Please ask an Admin of your agency. An Admin can set a new password for you.
          </DialogText>
          <DialogActions>
            <Button kind="primary" focusFirst onClick={() => setForgot(false)}>
              OK
            </Button>
          </DialogActions>
        </Dialog>
      )}
    </Form>
  );
}
