import { useQuery } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { answer, api } from '@/api/client';
import { Button } from '@/ui/Button';
import { DialogActions, DialogText } from '@/ui/Dialog';
import { Form } from '@/ui/Form';
import { PasswordField } from '@/ui/PasswordField';
import { CodeField } from './CodeField';
import { PasskeyStep } from './PasskeyStep';
import { secondFactorQuery } from './securityQueries';
import classes from './signInSteps.module.css';
import { useOneField } from './useOneField';
import { signWithPasskey, supportsPasskeys } from './webauthn';

const proof = z.string().check(z.minLength(1, 'Please fill this in'));

/** The password, or the passkey or code of members with a second factor. */
export function ConfirmForm({ onClose }: { onClose: (confirmed: boolean) => void }) {
  const { data, error } = useQuery(secondFactorQuery);
  const hasApp = Boolean(data?.app_added_at);
  const hasPasskey = data !== undefined && data.passkeys.length > 0;
  const hasFactor = hasApp || hasPasskey;
  const offersPasskey = hasPasskey && data.passkeys_offered && supportsPasskeys();
  const provePasskey = async () => {
    const { data: begun } = await answer(api.POST('/api/admin/begin-passkey-confirmation'));
    const body = { passkey: await signWithPasskey(begun.options) };
    await answer(api.POST('/api/admin/confirm-identity', { body }));
    onClose(true);
  };
  const { form, field } = useOneField(
    proof,
    async (typed) => {
      const body = hasFactor ? { code: typed } : { password: typed };
      await answer(api.POST('/api/admin/confirm-identity', { body }));
      onClose(true);
    },
    data !== undefined && !offersPasskey,
  );
  const note = field.error ?? error?.message;
  return (
    <Form aria-label="Confirm that it is you" {...form} busy={form.busy || !data}>
      <DialogText>You signed in a while ago. This is asked before important changes.</DialogText>
      {offersPasskey && (
        <>
          <div className={classes.between}>
            <PasskeyStep onUse={provePasskey} />
          </div>
          <DialogText>{hasApp ? 'Or enter a code:' : 'Or enter a recovery code:'}</DialogText>
        </>
      )}
      {data && hasFactor && <CodeField isRecovery={!hasApp} {...field} error={note} />}
      {data && !hasFactor && (
        <PasswordField label="Password" autoComplete="current-password" {...field} error={note} />
      )}
      {!data && error && <DialogText role="alert">{error.message}</DialogText>}
      <DialogActions>
        <Button onClick={() => onClose(false)}>Cancel</Button>
        <Button type="submit" kind={offersPasskey ? undefined : 'primary'} busy={form.busy}>
          Confirm
        </Button>
      </DialogActions>
    </Form>
  );
}
