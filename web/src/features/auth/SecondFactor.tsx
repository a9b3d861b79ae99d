import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api } from '@/api/client';
import { notifyFailure } from '@/session/notifyFailure';
import { Dialog } from '@/ui/Dialog';
import { ListNotice } from '@/ui/ListNotice';
import { notify } from '@/ui/notify';
import { Time } from '@/ui/Time';
import { useConfirm } from '@/ui/useConfirm';
import { AuthenticatorSetup } from './AuthenticatorSetup';
import { RecoveryCodes } from './RecoveryCodes';
import { secondFactorQuery } from './securityQueries';
import type { Enrolment } from './secondStep';
import classes from './SecondFactor.module.css';

const REMOVE = {
  title: 'Remove the second factor',
  text: 'Your password alone will sign you in then. The recovery codes end as well.',
  yes: 'Yes, remove',
  danger: true,
};
const NEW_CODES = {
  title: 'Make new recovery codes',
  text: 'The codes that you have kept will no longer work.',
  yes: 'Yes, make new ones',
};

/** The member's authenticator app and recovery codes. */
export function SecondFactor({ zone }: { zone: string }) {
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery(secondFactorQuery);
  const [enrolment, setEnrolment] = useState<Enrolment | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const [ask, dialog] = useConfirm();

  const act = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (refusal) {
      notifyFailure(refusal);
    } finally {
      await queries.invalidateQueries(secondFactorQuery);
    }
  };
  const begin = () =>
    act(async () => setEnrolment((await answer(api.POST('/api/admin/begin-authenticator'))).data));
  const add = async (code: string) => {
    const body = { enrolment: enrolment!.enrolment, code };
    const { data: made } = await answer(api.POST('/api/admin/add-authenticator', { body }));
    setEnrolment(null);
    setCodes(made.recovery_codes);
    await queries.invalidateQueries(secondFactorQuery);
  };
  const remove = async () => {
    if (!(await ask(REMOVE))) return;
    await act(async () => {
      notify.success((await answer(api.POST('/api/admin/remove-authenticator'))).message);
    });
  };
  const makeCodes = async () => {
    if (!(await ask(NEW_CODES))) return;
    await act(async () => {
      setCodes((await answer(api.POST('/api/admin/make-recovery-codes'))).data.recovery_codes);
    });
  };

  if (error && !data) {
    return (
      <ListNotice
        text={error.message}
        action={{ label: 'Try again', onClick: () => void refetch() }}
      />
    );
  }
  return (
    <section className={`card ${classes.card}`} aria-labelledby="second-factor" aria-busy={!data}>
      <h2 id="second-factor">Second factor</h2>
      {data && !data.app_added_at && (
        <>
          <p>
            An authenticator app on your phone shows a new code every half minute. With it, a stolen
            password is not enough to sign in as you.
          </p>
          <button type="button" className="button" data-kind="primary" onClick={() => void begin()}>
            Set up an authenticator app
          </button>
        </>
      )}
      {data?.app_added_at && (
        <>
          <p>
            Your authenticator app has been in use since{' '}
            <Time iso={data.app_added_at} zone={zone} />. {codesLeft(data.recovery_codes_left)}
          </p>
          <div className={classes.actions}>
            <button type="button" className="button" onClick={() => void begin()}>
              Set up another app
            </button>
            <button type="button" className="button" onClick={() => void makeCodes()}>
              Make new recovery codes
            </button>
            {!data.required && (
              <button
                type="button"
                className="button"
                data-kind="danger"
                onClick={() => void remove()}
              >
                Remove the second factor
              </button>
            )}
          </div>
        </>
      )}
      {enrolment && (
        <Dialog title="Set up an authenticator app" onClose={() => setEnrolment(null)}>
          <AuthenticatorSetup enrolment={enrolment} onCode={add} />
        </Dialog>
      )}
      {codes && (
        <Dialog title="Keep your recovery codes" onClose={() => setCodes(null)}>
          <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />
        </Dialog>
      )}
      {dialog}
    </section>
  );
}

function codesLeft(left: number): string {
  if (left === 0) return 'No recovery code is left: make new ones.';
  return left === 1 ? 'One recovery code is left.' : `${left} recovery codes are left.`;
}
