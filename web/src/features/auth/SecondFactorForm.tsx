import { useState } from 'react';
import { answer, api } from '@/api/client';
import { Button } from '@/ui/Button';
import { Form, SubmitButton } from '@/ui/Form';
import { notify } from '@/ui/notify';
import { CodeField } from './CodeField';
import { PasskeyStep } from './PasskeyStep';
import { type SecondStepProps, untilEnded } from './secondStep';
import classes from './signInSteps.module.css';
import { oneTimeCode, useOneField } from './useOneField';
import { signWithPasskey, supportsPasskeys } from './webauthn';

const FEW_CODES = 3;

/** The ways to finish a sign-in, the easiest first. */
const WAYS = [
  { method: 'passkey', use: 'Use your passkey' },
  { method: 'app', use: 'Use the app' },
  { method: 'recovery_code', use: 'Use a recovery code' },
] as const;

type Method = (typeof WAYS)[number]['method'];

/** A passkey, the code of the authenticator app, or a recovery code. */
export function SecondFactorForm({ challenge, onSignedIn, onRestart }: SecondStepProps) {
  const ways = WAYS.filter(
    ({ method }) =>
      challenge.methods.includes(method) && (method !== 'passkey' || supportsPasskeys()),
  );
  const [chosen, setChosen] = useState<Method>(ways[0]?.method ?? 'recovery_code');

  const finish = (proof: { code?: string; passkey?: Record<string, unknown> }) =>
    untilEnded(async () => {
      const body = { challenge: challenge.challenge, ...proof };
      const session = await answer(api.POST('/api/admin/sign-in-second-factor', { body }));
      if (chosen === 'recovery_code') warnOfFewCodes(session.recovery_codes_left);
      await onSignedIn(session);
    }, onRestart);
  const provePasskey = () =>
    untilEnded(async () => {
      const body = { challenge: challenge.challenge };
      const { data } = await answer(api.POST('/api/admin/sign-in-passkey', { body }));
      await finish({ passkey: await signWithPasskey(data.options) });
    }, onRestart);

  return (
    <div className={classes.form}>
      <h1>Confirm that it is you</h1>
      {chosen === 'passkey' ? (
        <PasskeyStep onUse={provePasskey} />
      ) : (
        <CodeForm
          key={chosen}
          isRecovery={chosen === 'recovery_code'}
          onCode={(code) => finish({ code })}
        />
      )}
      <div className={classes.row}>
        {ways
          .filter(({ method }) => method !== chosen)
          .map(({ method, use }) => (
            <Button key={method} kind="text" onClick={() => setChosen(method)}>
              {use}
            </Button>
          ))}
        <Button kind="text" onClick={onRestart}>
          Back
        </Button>
      </div>
    </div>
  );
}

interface CodeFormProps {
  isRecovery: boolean;
  /** Sends the code. A refusal is shown at the field. */
  onCode: (code: string) => Promise<void>;
}

function CodeForm({ isRecovery, onCode }: CodeFormProps) {
  const { form, field } = useOneField(oneTimeCode, onCode);
  return (
    <Form className={classes.form} {...form}>
      <CodeField isRecovery={isRecovery} {...field} />
      <SubmitButton>
        Sign In <span aria-hidden="true">→</span>
      </SubmitButton>
    </Form>
  );
}

function warnOfFewCodes(left: number): void {
  if (left > FEW_CODES) return;
  const codes = left === 1 ? 'One recovery code is' : `${left} recovery codes are`;
  notify.error(`${codes} left. Make new ones under Sign-in Security.`);
}
