import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Passkey, StaffSession } from '@/api/types';
import { paths } from '@/paths/staffPaths';
import { openApp } from '@/testing/openApp';
import { deviceAnswers, passkeyOptions } from '@/testing/passkeys';
import { get, member, post, refusal, server, signedInAs, success } from '@/testing/server';

const ADDED = '2026-11-20T02:41:07Z';

function session(fields: Partial<StaffSession>): StaffSession {
  return {
    id: 'one',
    is_this: false,
    device: 'Computer',
    browser: 'Firefox 140',
    os: 'Linux',
    ip: '203.0.113.9',
    location: 'Indonesia',
    signed_in_at: ADDED,
    last_used_at: ADDED,
    ...fields,
  };
}

/** Serves a second factor that the calls of the test change, and sessions. */
function securityOf(app_added_at: string | null, fields: object = {}, sessions = [session({})]) {
  signedInAs(member());
  const state = {
    app_added_at,
    passkeys: [] as Passkey[],
    passkeys_offered: true,
    recovery_codes_left: 10,
    required: false,
    ...fields,
  };
  server.use(
    get('/api/admin/second-factor', () => success({ data: state })),
    get('/api/admin/sessions', () => success({ data: sessions })),
  );
  return state;
}

test('an authenticator app is set up with its first code, and the recovery codes are shown once', async () => {
  const state = securityOf(null);
  const sent: unknown[] = [];
  server.use(
    post('/api/admin/begin-authenticator', () =>
      success({ data: { enrolment: 'a-salt', secret: 'JBSWY3DP', url: 'otpauth://totp/x' } }),
    ),
    post('/api/admin/add-authenticator', async ({ request }) => {
      sent.push(await request.json());
      if (sent.length === 1) return refusal(422, 'This code is wrong', 'wrong_second_factor');
      state.app_added_at = ADDED;
      return success({ data: { recovery_codes: ['abcde-fghij'] } });
    }),
  );
  const user = await openApp(paths.security);
  await user.click(await screen.findByRole('button', { name: 'Set up an authenticator app' }));
  const code = await screen.findByLabelText('Code of your authenticator app');
  await user.type(code, '111111{Enter}');
  expect(await screen.findByText('This code is wrong')).toBeVisible();
  await user.clear(code);
  await user.type(code, '123456{Enter}');
  expect(await screen.findByText('abcde-fghij')).toBeVisible();
  expect(sent.at(-1)).toEqual({ enrolment: 'a-salt', code: '123456' });
  await user.click(screen.getByRole('button', { name: 'I have kept them' }));
  expect(screen.queryByText('abcde-fghij')).toBeNull();
  expect(await screen.findByText(/10 recovery codes are left/)).toBeVisible();
});

test('a required second factor is replaced by another app, and cannot be removed', async () => {
  securityOf(ADDED, { required: true, recovery_codes_left: 1 });
  await openApp(paths.security);
  expect(await screen.findByText(/One recovery code is left/)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Set up another app' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Remove the second factor' })).toBeNull();
});

test('a call that asks for a proof is sent again after it was given', async () => {
  const state = securityOf(ADDED);
  const [proofs, removals]: [unknown[], number[]] = [[], []];
  server.use(
    post('/api/admin/remove-authenticator', () => {
      removals.push(proofs.length);
      if (proofs.length < 2) return refusal(403, 'Confirm', 'confirmation_required');
      state.app_added_at = null;
      return success({}, 'The authenticator app has been removed');
    }),
    post('/api/admin/confirm-identity', async ({ request }) => {
      proofs.push(await request.json());
      if (proofs.length === 1) return refusal(422, 'This code is wrong', 'wrong_second_factor');
      return success({}, 'Thank you');
    }),
  );
  const user = await openApp(paths.security);
  await user.click(await screen.findByRole('button', { name: 'Remove the second factor' }));
  await user.click(await screen.findByRole('button', { name: 'Yes, remove' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Confirm that it is you' }));
  const code = await dialog.findByLabelText('Code of your authenticator app');
  await waitFor(() => expect(code).toHaveFocus());
  await user.type(code, '111111{Enter}');
  expect(await dialog.findByText('This code is wrong')).toBeVisible();
  await user.clear(code);
  await user.type(code, '123456{Enter}');
  expect(await screen.findByText('The authenticator app has been removed')).toBeVisible();
  expect(proofs).toEqual([{ code: '111111' }, { code: '123456' }]);
  expect(removals).toEqual([0, 2]);
});

test('without a proof the call is refused, and nothing is sent again', async () => {
  securityOf(ADDED);
  let calls = 0;
  server.use(
    post('/api/admin/make-recovery-codes', () => {
      calls += 1;
      return refusal(403, 'Please confirm that it is you', 'confirmation_required');
    }),
  );
  const user = await openApp(paths.security);
  await user.click(await screen.findByRole('button', { name: 'Make new recovery codes' }));
  await user.click(await screen.findByRole('button', { name: 'Yes, make new ones' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Confirm that it is you' }));
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('Please confirm that it is you');
  expect(calls).toBe(1);
});

test('a session is ended, and the own one cannot be', async () => {
  const here = session({ id: 'here', is_this: true });
  const phone = session({ id: 'phone', browser: 'Unknown', os: 'Unknown', location: '-', ip: '' });
  const sessions = [here, phone];
  securityOf(null, {}, sessions);
  const sent: unknown[] = [];
  server.use(
    post('/api/admin/end-session', async ({ request }) => {
      sent.push(await request.json());
      sessions.pop();
      return success({}, 'The session has been ended');
    }),
  );
  const user = await openApp(paths.security);
  const table = within(await screen.findByRole('table', { name: 'Sessions' }));
  expect(await table.findByText('Firefox 140 on Linux')).toBeVisible();
  expect(table.getByText('Indonesia · 203.0.113.9')).toBeVisible();
  expect(table.getByText('This session')).toBeVisible();
  await user.click(table.getByRole('button', { name: 'End Unknown device' }));
  await waitFor(() => expect(table.queryByText('Unknown device')).toBeNull());
  expect(sent).toEqual([{ id: 'phone' }]);
});

const laptop: Passkey = { id: 12, name: 'Work laptop', added_at: ADDED, last_used_at: null };

test('a passkey is added with a name, after a cancelled request was explained', async () => {
  const state = securityOf(null);
  const asked = deviceAnswers(new DOMException('', 'NotAllowedError'), { id: 'new' });
  const sent: unknown[] = [];
  server.use(
    post('/api/admin/begin-passkey', () =>
      success({ data: { options: passkeyOptions({ challenge: 'one' }) } }),
    ),
    post('/api/admin/add-passkey', async ({ request }) => {
      sent.push(await request.json());
      state.passkeys = [laptop];
      return success({ data: { recovery_codes: ['abcde-fghij'] } });
    }),
  );
  const user = await openApp(paths.security);
  await user.click(await screen.findByRole('button', { name: 'Add a passkey' }));
  const name = screen.getByLabelText('Name of the passkey');
  await user.type(name, '{Enter}');
  expect(await screen.findByText('Please name the passkey')).toBeVisible();
  await user.type(name, 'Work laptop{Enter}');
  expect(await screen.findByText(/the request was cancelled or took too long/)).toBeVisible();
  await user.type(name, '{Enter}');
  expect(await screen.findByText('abcde-fghij')).toBeVisible();
  expect(asked).toEqual([{ challenge: 'one' }, { challenge: 'one' }]);
  expect(sent).toEqual([{ name: 'Work laptop', credential: { id: 'new' } }]);
  await user.click(screen.getByRole('button', { name: 'I have kept them' }));
  const list = within(await screen.findByRole('list', { name: 'Passkeys' }));
  expect(list.getByText('Work laptop')).toBeVisible();
  expect(list.getByText('Not used yet')).toBeVisible();
});

test('a set-up can be left, and nothing is added', async () => {
  securityOf(null);
  deviceAnswers();
  server.use(
    post('/api/admin/begin-authenticator', () =>
      success({ data: { enrolment: 'a-salt', secret: 'JBSWY3DP', url: 'otpauth://totp/x' } }),
    ),
  );
  const user = await openApp(paths.security);
  for (const begin of ['Set up an authenticator app', 'Add a passkey']) {
    await user.click(await screen.findByRole('button', { name: begin }));
    const dialog = within(await screen.findByRole('dialog', { name: begin }));
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    expect(screen.queryByRole('dialog')).toBeNull();
  }
});

test('one of several factors is removed alone, and a last one that is required stays', async () => {
  const state = securityOf(ADDED, { required: true, passkeys: [laptop] });
  deviceAnswers();
  const sent: unknown[] = [];
  server.use(
    post('/api/admin/remove-passkey', async ({ request }) => {
      sent.push(await request.json());
      state.passkeys = [];
      return success({}, 'The passkey has been removed');
    }),
  );
  const user = await openApp(paths.security);
  expect(await screen.findByRole('button', { name: 'Remove the app' })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Remove Work laptop' }));
  expect(screen.getByText('It will no longer sign you in.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Yes, remove' }));
  expect(await screen.findByText('The passkey has been removed')).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('list', { name: 'Passkeys' })).toBeNull());
  expect(screen.queryByRole('button', { name: 'Remove the app' })).toBeNull();
  expect(sent).toEqual([{ id: 12 }]);
});

test('passkeys are not offered where the server or the browser cannot use them', async () => {
  securityOf(ADDED);
  await openApp(paths.security);
  expect(await screen.findByText(/10 recovery codes are left/)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Add a passkey' })).toBeNull();
});

test('a passkey is the proof that a call asks for', async () => {
  securityOf(null, { passkeys: [laptop] });
  deviceAnswers({ id: 'signed' });
  const proofs: unknown[] = [];
  server.use(
    post('/api/admin/make-recovery-codes', () =>
      proofs.length === 0
        ? refusal(403, 'Confirm', 'confirmation_required')
        : success({ data: { recovery_codes: ['abcde-fghij'] } }),
    ),
    post('/api/admin/begin-passkey-confirmation', () =>
      success({ data: { options: passkeyOptions({ challenge: 'one' }) } }),
    ),
    post('/api/admin/confirm-identity', async ({ request }) => {
      proofs.push(await request.json());
      return success({}, 'Thank you');
    }),
  );
  const user = await openApp(paths.security);
  await user.click(await screen.findByRole('button', { name: 'Make new recovery codes' }));
  await user.click(await screen.findByRole('button', { name: 'Yes, make new ones' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Confirm that it is you' }));
  expect(dialog.getByLabelText('Recovery code')).toBeVisible();
  await waitFor(() =>
    expect(dialog.getByRole('button', { name: 'Use your passkey' })).toHaveFocus(),
  );
  await user.keyboard('{Enter}');
  expect(await screen.findByText('abcde-fghij')).toBeVisible();
  expect(proofs).toEqual([{ passkey: { id: 'signed' } }]);
});
