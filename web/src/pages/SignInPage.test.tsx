import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { useAuth } from '@/session/auth';
import { openApp, place } from '@/testing/openApp';
import { deviceAnswers, passkeyOptions } from '@/testing/passkeys';
import { get, member, post, refusal, server, signedInAs, success } from '@/testing/server';

const email = () => screen.findByLabelText('Email ID');
const password = () => screen.findByLabelText('Password');
const submit = () => screen.findByRole('button', { name: /^Sign In/ });

test('errors are shown under the fields while typing and on leaving', async () => {
  const user = await openApp('/');
  await user.type(await email(), 'ayu');
  expect(await screen.findByText('Invalid email address')).toBeVisible();
  await user.clear(await email());
  expect(await screen.findByText('Email Address is required')).toBeVisible();
  await user.click(await password());
  await user.tab();
  expect(await screen.findByText('Password is required')).toBeVisible();
});

test('a password is hidden until Show password is pressed', async () => {
  const user = await openApp('/');
  expect(await password()).toHaveAttribute('type', 'password');
  await user.click(screen.getByRole('button', { name: 'Show password' }));
  expect(await password()).toHaveAttribute('type', 'text');
  await user.click(screen.getByRole('button', { name: 'Show password' }));
  expect(await password()).toHaveAttribute('type', 'password');
});

test('the card has a logo, and its button an arrow', async () => {
  await openApp('/');
  expect(await submit()).toHaveTextContent('Sign In →');
  const card = within(screen.getByRole('main'));
  expect(card.getByText('Visadesk').querySelector('svg')).toBeVisible();
});

test('Remember me is sent with the password', async () => {
  const sent: unknown[] = [];
  server.use(
    post('/api/admin/admin-login', async ({ request }) => {
      sent.push(await request.json());
      return refusal(401, 'The password is wrong');
    }),
  );
  const user = await openApp('/');
  await user.type(await email(), 'ayu@visadesk.example');
  await user.type(await password(), 'guess');
  await user.click(screen.getByRole('checkbox', { name: 'Remember me' }));
  await user.click(await submit());
  expect(await screen.findByRole('alert')).toBeVisible();
  expect(sent).toEqual([{ email: 'ayu@visadesk.example', password: 'guess', rememberMe: true }]);
});

test('a refused sign-in shows the message of the server and stays', async () => {
  server.use(post('/api/admin/admin-login', () => refusal(401, 'The password is wrong')));
  const user = await openApp('/');
  await user.type(await email(), 'ayu@visadesk.example');
  await user.type(await password(), 'guess');
  await user.click(await submit());
  expect(await screen.findByRole('alert')).toHaveTextContent('The password is wrong');
  expect(useAuth.getState().error).toBe('The password is wrong');
  expect(place()).toBe('/');
});

test('a sign-in stores the token and goes to the dashboard', async () => {
  const me = member();
  signedInAs(me);
  const stored = localStorage.getItem('user');
  localStorage.clear();
  const { accessToken } = JSON.parse(stored ?? '') as { accessToken: string };
  const answer = { jwtToken: accessToken, data: me };
  server.use(post('/api/admin/admin-login', () => success(answer, 'Welcome back')));
  const user = await openApp('/');
  await user.type(await email(), 'ayu@visadesk.example');
  await user.type(await password(), 'secret');
  await user.click(await submit());
  expect(await screen.findByText('Welcome, Ayu Lestari')).toBeVisible();
  expect(place()).toBe('/admin');
  expect(localStorage.getItem('user')).toBe(stored);
});

test('an unknown session leads back to the sign-in', async () => {
  signedInAs(member());
  server.use(get('/api/user_info', () => refusal(401, 'Please sign in again')));
  await openApp('/admin/recent-order');
  expect(await screen.findByRole('alert')).toHaveTextContent('Please sign in again');
  expect(await email()).toBeVisible();
  expect(place()).toBe('/');
  expect(localStorage.getItem('user')).toBeNull();
});

test('without Remember me on the server, the form does not offer it', async () => {
  document.documentElement.dataset['rememberMe'] = 'off';
  try {
    await openApp('/');
    await password();
    expect(screen.queryByLabelText('Remember me')).toBeNull();
  } finally {
    delete document.documentElement.dataset['rememberMe'];
  }
});

/** A sign-in whose password is right, and which needs a second step. */
function needsSecondStep(methods: string[], offers = ['app']) {
  const me = member();
  signedInAs(me);
  const { accessToken } = JSON.parse(localStorage.getItem('user') ?? '') as { accessToken: string };
  localStorage.clear();
  const challenge = { challenge: 'a-challenge', methods, offers };
  server.use(
    post('/api/admin/admin-login', () =>
      refusal(401, 'Please enter the code', 'second_factor_required', challenge),
    ),
  );
  return { jwtToken: accessToken, data: me };
}

async function enterPassword(user: Awaited<ReturnType<typeof openApp>>) {
  await user.type(await email(), 'ayu@visadesk.example');
  await user.type(await password(), 'secret');
  await user.click(await submit());
}

test('a member with a second factor is asked for its code, which a wrong one keeps', async () => {
  const session = needsSecondStep(['app', 'recovery_code']);
  const sent: unknown[] = [];
  server.use(
    post('/api/admin/sign-in-second-factor', async ({ request }) => {
      sent.push(await request.json());
      if (sent.length === 1) return refusal(422, 'This code is wrong', 'wrong_second_factor');
      return success({ ...session, recovery_codes: [], recovery_codes_left: 10 }, 'Welcome back');
    }),
  );
  const user = await openApp('/');
  await enterPassword(user);
  const code = await screen.findByLabelText('Code of your authenticator app');
  expect(code).toHaveFocus();
  expect(screen.queryByRole('alert')).toBeNull();
  await user.type(code, '111 111{Enter}');
  expect(await screen.findByText('This code is wrong')).toBeVisible();
  await user.clear(code);
  await user.type(code, '123456{Enter}');
  expect(await screen.findByText('Welcome, Ayu Lestari')).toBeVisible();
  expect(sent).toEqual([
    { challenge: 'a-challenge', code: '111 111' },
    { challenge: 'a-challenge', code: '123456' },
  ]);
});

test('a recovery code signs in, with a warning when few are left', async () => {
  const session = needsSecondStep(['app', 'recovery_code']);
  server.use(
    post('/api/admin/sign-in-second-factor', () =>
      success({ ...session, recovery_codes: [], recovery_codes_left: 2 }),
    ),
  );
  const user = await openApp('/');
  await enterPassword(user);
  await user.click(await screen.findByRole('button', { name: 'Use a recovery code' }));
  const code = screen.getByLabelText('Recovery code');
  expect(code).toHaveFocus();
  await user.type(code, 'abcde-fghij{Enter}');
  expect(await screen.findByText(/2 recovery codes are left/)).toBeVisible();
  expect(place()).toBe('/admin');
});

test('a sign-in that has ended leads back to the password', async () => {
  needsSecondStep(['app', 'recovery_code']);
  server.use(
    post('/api/admin/sign-in-second-factor', () =>
      refusal(401, 'This sign-in has ended', 'challenge_ended'),
    ),
  );
  const user = await openApp('/');
  await enterPassword(user);
  await user.type(await screen.findByLabelText('Code of your authenticator app'), '123456{Enter}');
  expect(await screen.findByText('This sign-in has ended')).toBeVisible();
  expect(await email()).toBeVisible();
});

test('a member who must have a second factor sets it up and keeps the recovery codes', async () => {
  const session = needsSecondStep([]);
  const enrolment = { enrolment: 'a-salt', secret: 'JBSWY3DPEHPK3PXP', url: 'otpauth://totp/x' };
  const sent: unknown[] = [];
  server.use(
    post('/api/admin/sign-in-enrolment', () => success({ data: enrolment })),
    post('/api/admin/sign-in-second-factor', async ({ request }) => {
      sent.push(await request.json());
      const recovery_codes = ['abcde-fghij', '23456-789ab'];
      return success({ ...session, recovery_codes, recovery_codes_left: 10 });
    }),
  );
  const user = await openApp('/');
  await enterPassword(user);
  expect(await screen.findByRole('img', { name: /QR code/ })).toBeVisible();
  expect(screen.getByText('JBSW Y3DP EHPK 3PXP')).toBeVisible();
  await user.type(screen.getByLabelText('Code of your authenticator app'), '123456{Enter}');
  expect(await screen.findByText('abcde-fghij')).toBeVisible();
  expect(sent).toEqual([{ challenge: 'a-challenge', code: '123456', enrolment: 'a-salt' }]);
  expect(place()).toBe('/');
  expect(screen.getByRole('button', { name: 'I have kept them' })).toHaveFocus();
  await user.click(screen.getByRole('button', { name: 'I have kept them' }));
  expect(await screen.findByText('Welcome, Ayu Lestari')).toBeVisible();
});

test('a passkey signs in, after one that was not found was explained', async () => {
  const session = needsSecondStep(['app', 'recovery_code', 'passkey']);
  const asked = deviceAnswers(new DOMException('', 'NotAllowedError'), { id: 'signed' });
  const sent: unknown[] = [];
  server.use(
    post('/api/admin/sign-in-passkey', () =>
      success({ data: { options: passkeyOptions({ rpId: 'localhost' }) } }),
    ),
    post('/api/admin/sign-in-second-factor', async ({ request }) => {
      sent.push(await request.json());
      return success({ ...session, recovery_codes: [], recovery_codes_left: 10 });
    }),
  );
  const user = await openApp('/');
  await enterPassword(user);
  const use = await screen.findByRole('button', { name: 'Use your passkey' });
  expect(use).toHaveFocus();
  expect(screen.getByRole('button', { name: 'Use the app' })).toBeVisible();
  await user.keyboard('{Enter}');
  expect(await screen.findByRole('alert')).toHaveTextContent(/found no passkey of yours/);
  await user.click(use);
  expect(await screen.findByText('Welcome, Ayu Lestari')).toBeVisible();
  expect(asked).toEqual([{ rpId: 'localhost' }, { rpId: 'localhost' }]);
  expect(sent).toEqual([{ challenge: 'a-challenge', passkey: { id: 'signed' } }]);
});

test('a browser without passkeys asks for a code', async () => {
  needsSecondStep(['app', 'recovery_code', 'passkey']);
  const user = await openApp('/');
  await enterPassword(user);
  expect(await screen.findByLabelText('Code of your authenticator app')).toHaveFocus();
  expect(screen.queryByRole('button', { name: 'Use your passkey' })).toBeNull();
});

test('a member who must have a second factor adds a passkey instead of the app', async () => {
  const session = needsSecondStep([], ['app', 'passkey']);
  deviceAnswers({ id: 'new' });
  const sent: unknown[] = [];
  server.use(
    post('/api/admin/sign-in-enrolment', () => refusal(503, 'Not now')),
    post('/api/admin/sign-in-passkey-enrolment', () => success({ data: { options: {} } })),
    post('/api/admin/sign-in-second-factor', async ({ request }) => {
      sent.push(await request.json());
      return success({ ...session, recovery_codes: ['abcde-fghij'], recovery_codes_left: 10 });
    }),
  );
  const user = await openApp('/');
  await enterPassword(user);
  await user.click(await screen.findByRole('button', { name: 'Use a passkey' }));
  await user.type(screen.getByLabelText('Name of the passkey'), 'Phone{Enter}');
  expect(await screen.findByText('abcde-fghij')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'I have kept them' }));
  expect(await screen.findByText('Welcome, Ayu Lestari')).toBeVisible();
  const new_passkey = { name: 'Phone', credential: { id: 'new' } };
  expect(sent).toEqual([{ challenge: 'a-challenge', new_passkey }]);
});
