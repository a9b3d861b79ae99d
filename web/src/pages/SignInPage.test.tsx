import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { useAuth } from '@/session/auth';
import { openApp, place } from '@/testing/openApp';
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
