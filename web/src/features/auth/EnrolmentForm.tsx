import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api, dataOf } from '@/api/client';
import { AuthenticatorSetup } from './AuthenticatorSetup';
import { PasskeySetup } from './PasskeySetup';
import { RecoveryCodes } from './RecoveryCodes';
import { type SecondStepProps, type Session, untilEnded } from './secondStep';
import { Button } from '@/ui/Button';
import classes from './signInSteps.module.css';
import { createPasskey, supportsPasskeys } from './webauthn';

/** A secret for the app. It stays the same while the form is open, because a phone may have scanned it. */
const enrolmentQuery = (challenge: string) =>
  queryOptions({
    queryKey: ['auth', 'enrolment', challenge],
    queryFn: ({ signal }) => {
      const body = { challenge };
      return dataOf(api.POST('/api/admin/sign-in-enrolment', { body, signal }));
    },
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });

/** The first second factor, which is sent with the challenge. */
interface First {
  code?: string;
  enrolment?: string | undefined;
  new_passkey?: { name: string; credential: Record<string, unknown> };
}

/** Sets up a second factor during a sign-in, for a member who must have one. */
export function EnrolmentForm({ challenge: open, onSignedIn, onRestart }: SecondStepProps) {
  const { challenge } = open;
  const { data: enrolment, error } = useQuery(enrolmentQuery(challenge));
  const [made, setMade] = useState<{ session: Session; codes: string[] } | null>(null);
  const [isPasskey, setPasskey] = useState(false);
  const offersPasskey = open.offers.includes('passkey') && supportsPasskeys();

  const finish = (first: First) =>
    untilEnded(async () => {
      const body = { challenge, ...first };
      const session = await answer(api.POST('/api/admin/sign-in-second-factor', { body }));
      setMade({ session, codes: session.recovery_codes });
    }, onRestart);
  const addPasskey = (name: string) =>
    untilEnded(async () => {
      const body = { challenge };
      const { data } = await answer(api.POST('/api/admin/sign-in-passkey-enrolment', { body }));
      await finish({ new_passkey: { name, credential: await createPasskey(data.options) } });
    }, onRestart);

  return (
    <div className={classes.form}>
      <h1>{made ? 'Keep your recovery codes' : 'Set up a second factor'}</h1>
      {made && <RecoveryCodes codes={made.codes} onDone={() => onSignedIn(made.session)} />}
      {!made && isPasskey && <PasskeySetup onName={addPasskey} />}
      {!made && !isPasskey && error && <p role="alert">{error.message}</p>}
      {!made && !isPasskey && !error && (
        <AuthenticatorSetup
          enrolment={enrolment}
          onCode={(code) => finish({ code, enrolment: enrolment?.enrolment })}
        />
      )}
      {!made && (
        <div className={classes.row}>
          {offersPasskey && (
            <Button kind="text" onClick={() => setPasskey(!isPasskey)}>
              {isPasskey ? 'Use an authenticator app' : 'Use a passkey'}
            </Button>
          )}
          <Button kind="text" onClick={onRestart}>
            Back
          </Button>
        </div>
      )}
    </div>
  );
}
