import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { answer, api } from '@/api/client';
import type { Passkey, SecondFactor as State } from '@/api/types';
import { useChange } from '@/session/useChange';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { Dialog } from '@/ui/Dialog';
import { ListNotice } from '@/ui/ListNotice';
import { notify } from '@/ui/notify';
import { Time } from '@/ui/Time';
import { useConfirm } from '@/ui/useConfirm';
import { Row } from '@/ui/Row';
import { AuthenticatorSetup } from './AuthenticatorSetup';
import { PasskeyList } from './PasskeyList';
import { PasskeySetup } from './PasskeySetup';
import { RecoveryCodes } from './RecoveryCodes';
import { secondFactorQuery } from './securityQueries';
import type { Enrolment } from './secondStep';
import classes from './SecondFactor.module.css';
import { createPasskey, supportsPasskeys } from './webauthn';

const LAST = 'Your password alone will sign you in then. The recovery codes end as well.';
const NEW_CODES = {
  title: 'Make new recovery codes',
  text: 'The codes that you have kept will no longer work.',
  yes: 'Yes, make new ones',
};

interface SecondFactorProps {
  /** Rendered below the card once it has loaded, so that the content does not shift. */
  children: ReactNode;
}

/** The member's authenticator app, passkeys and recovery codes. */
export function SecondFactor({ children }: SecondFactorProps) {
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery(secondFactorQuery);
  const [enrolment, setEnrolment] = useState<Enrolment | null>(null);
  const [isNamed, setNamed] = useState(false);
  const [codes, setCodes] = useState<string[] | null>(null);
  const [ask, dialog] = useConfirm();

  const { send: act } = useChange({
    run: (work: () => Promise<{ message: string } | void>) => work(),
    stale: secondFactorQuery.queryKey,
    waits: true,
    success: (result) => result ?? null,
  });
  const begin = () =>
    act(async () => setEnrolment((await answer(api.POST('/api/admin/begin-authenticator'))).data));
  const showAdded = async (made: string[], what: string) => {
    if (made.length > 0) setCodes(made);
    else notify.success(`${what} has been added`);
    await queries.invalidateQueries(secondFactorQuery);
  };
  const addApp = async (code: string) => {
    const body = { enrolment: enrolment!.enrolment, code };
    const { data: made } = await answer(api.POST('/api/admin/add-authenticator', { body }));
    setEnrolment(null);
    await showAdded(made.recovery_codes, 'The authenticator app');
  };
  const addPasskey = async (name: string) => {
    const { data: begun } = await answer(api.POST('/api/admin/begin-passkey'));
    const body = { name, credential: await createPasskey(begun.options) };
    const { data: made } = await answer(api.POST('/api/admin/add-passkey', { body }));
    setNamed(false);
    await showAdded(made.recovery_codes, 'The passkey');
  };
  const removeApp = async (isLast: boolean) => {
    const question = isLast
      ? { title: 'Remove the second factor', text: LAST }
      : { title: 'Remove the authenticator app', text: 'You will sign in with a passkey then.' };
    if (!(await ask({ ...question, yes: 'Yes, remove', danger: true }))) return;
    await act(() => answer(api.POST('/api/admin/remove-authenticator')));
  };
  const removePasskey = async ({ id, name }: Passkey, isLast: boolean) => {
    const text = isLast ? LAST : 'It will no longer sign you in.';
    const question = { title: `Remove the passkey ${name}`, text, yes: 'Yes, remove' };
    if (!(await ask({ ...question, danger: true }))) return;
    await act(() => answer(api.POST('/api/admin/remove-passkey', { body: { id } })));
  };
  const makeCodes = async () => {
    if (!(await ask(NEW_CODES))) return;
    await act(async () => {
      setCodes((await answer(api.POST('/api/admin/make-recovery-codes'))).data.recovery_codes);
    });
  };

  const { hasApp, hasAny, isLast } = factsOf(data);
  const offersPasskeys = data?.passkeys_offered === true && supportsPasskeys();
  return (
    <>
      {error && !data && <ListNotice text={error.message} onRetry={() => void refetch()} />}
      {(data || !error) && (
        <Card
          as="section"
          className={classes.card}
          aria-labelledby="second-factor"
          aria-busy={!data}
        >
          <h2 id="second-factor">Second factor</h2>
          {data && <Description state={data} offersPasskeys={offersPasskeys} />}
          {data && (
            <Row>
              <Button kind={hasAny ? undefined : 'primary'} onClick={() => void begin()}>
                {hasApp ? 'Set up another app' : 'Set up an authenticator app'}
              </Button>
              {offersPasskeys && <Button onClick={() => setNamed(true)}>Add a passkey</Button>}
              {hasAny && <Button onClick={() => void makeCodes()}>Make new recovery codes</Button>}
              {hasApp && !(isLast && data.required) && (
                <Button kind="danger" onClick={() => void removeApp(isLast)}>
                  {isLast ? 'Remove the second factor' : 'Remove the app'}
                </Button>
              )}
            </Row>
          )}
        </Card>
      )}
      {data && data.passkeys.length > 0 && (
        <PasskeyList
          passkeys={data.passkeys}
          isKept={isLast && data.required}
          onRemove={(passkey) => void removePasskey(passkey, isLast)}
        />
      )}
      {(data || error) && children}
      {enrolment && (
        <Dialog title="Set up an authenticator app" onClose={() => setEnrolment(null)}>
          <AuthenticatorSetup
            enrolment={enrolment}
            onCode={addApp}
            onCancel={() => setEnrolment(null)}
          />
        </Dialog>
      )}
      {isNamed && (
        <Dialog title="Add a passkey" onClose={() => setNamed(false)}>
          <PasskeySetup onName={addPasskey} onCancel={() => setNamed(false)} />
        </Dialog>
      )}
      {codes && (
        <Dialog title="Keep your recovery codes" onClose={() => setCodes(null)}>
          <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />
        </Dialog>
      )}
      {dialog}
    </>
  );
}

/** Which factors there are, and whether only one is left. */
function factsOf(state: State | undefined) {
  const hasApp = Boolean(state?.app_added_at);
  const count = (hasApp ? 1 : 0) + (state?.passkeys.length ?? 0);
  return { hasApp, hasAny: count > 0, isLast: count === 1 };
}

function Description({ state, offersPasskeys }: { state: State; offersPasskeys: boolean }) {
  const { app_added_at, passkeys, recovery_codes_left } = state;
  if (app_added_at) {
    return (
      <p>
        Your authenticator app has been in use since <Time iso={app_added_at} />.{' '}
        {codesLeft(recovery_codes_left)}
      </p>
    );
  }
  if (passkeys.length > 0) {
    return <p>You sign in with your password and a passkey. {codesLeft(recovery_codes_left)}</p>;
  }
  return (
    <p>
      With a second factor, a stolen password is not enough to sign in as you. An authenticator app
      on your phone shows a new code every half minute.
      {offersPasskeys &&
        ' A passkey is your fingerprint, face or PIN on a device, or a security key.'}
    </p>
  );
}

function codesLeft(left: number): string {
  if (left === 0) return 'No recovery code is left: make new ones.';
  return left === 1 ? 'One recovery code is left.' : `${left} recovery codes are left.`;
}
