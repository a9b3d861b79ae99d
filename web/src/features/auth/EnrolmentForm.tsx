import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, messageOf } from '@/api/ApiError';
import { answer, api } from '@/api/client';
import { notify } from '@/ui/notify';
import { AuthenticatorSetup } from './AuthenticatorSetup';
import { RecoveryCodes } from './RecoveryCodes';
import type { Session } from './secondStep';
import type { SecondStepProps } from './SecondFactorForm';
import classes from './signInSteps.module.css';

/** A secret for the app. It stays the same while the form is open, because a phone may have scanned it. */
const enrolmentQuery = (challenge: string) =>
  queryOptions({
    queryKey: ['auth', 'enrolment', challenge],
    queryFn: async ({ signal }) => {
      const body = { challenge };
      return (await answer(api.POST('/api/admin/sign-in-enrolment', { body, signal }))).data;
    },
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });

/** Sets up an authenticator app during a sign-in, for a member who must have one. */
export function EnrolmentForm({ challenge, onSignedIn, onRestart }: SecondStepProps) {
  const { data: enrolment, error } = useQuery(enrolmentQuery(challenge));
  const [made, setMade] = useState<{ session: Session; codes: string[] } | null>(null);

  const send = async (code: string) => {
    const body = { challenge, code, enrolment: enrolment?.enrolment };
    try {
      const session = await answer(api.POST('/api/admin/sign-in-second-factor', { body }));
      setMade({ session, codes: session.recovery_codes });
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'challenge_ended') throw error;
      notify.error(messageOf(error));
      onRestart();
    }
  };

  return (
    <div className={classes.form}>
      <h1>{made ? 'Keep your recovery codes' : 'Set up a second factor'}</h1>
      {made && <RecoveryCodes codes={made.codes} onDone={() => onSignedIn(made.session)} />}
      {!made && error && <p role="alert">{error.message}</p>}
      {!made && !error && <AuthenticatorSetup enrolment={enrolment} onCode={send} />}
      {!made && (
        <button type="button" className={classes.link} onClick={onRestart}>
          Back
        </button>
      )}
    </div>
  );
}
