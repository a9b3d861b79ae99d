import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { useAuth } from '@/session/auth';
import { openApp, place } from '@/testing/openApp';
import { member, post, refusal, server, signedInAs, success } from '@/testing/server';

const CALL = '/api/admin/change-password';

const field = () => screen.findByLabelText('Enter New Password');
const update = () => screen.getByRole('button', { name: 'Update Password' });

test('a missing or short password is reported while typing', async () => {
  signedInAs(member({}));
  const user = await openApp('/admin/change-password');
  expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent('Update Password');
  await user.click(await field());
  await user.click(update());
  expect(await screen.findByText('Please enter your New Password')).toBeVisible();
  await user.type(await field(), 'short');
  expect(await screen.findByText('New Password must be at least 6 characters')).toBeVisible();
});

test('a changed password removes the stored login and leads to the sign-in', async () => {
  signedInAs(member({}));
  const sent: unknown[] = [];
  server.use(
    post(CALL, async ({ request }) => {
      sent.push(await request.json());
      return success({}, 'Your password has been changed');
    }),
  );
  const user = await openApp('/admin/change-password');
  await user.type(await field(), ' a new password ');
  await user.click(update());
  expect(await screen.findByText('Your password has been changed')).toBeVisible();
  expect(await screen.findByLabelText('Email ID')).toBeVisible();
  // Blanks belong to a password.
  expect(sent).toEqual([{ newPassword: ' a new password ' }]);
  expect(place()).toBe('/');
  expect(localStorage.getItem('user')).toBeNull();
  expect(useAuth.getState().isAuth).toBe(false);
});

test('a refused password shows the reason and keeps the session', async () => {
  signedInAs(member({}));
  server.use(post(CALL, () => refusal(422, 'This password is too common')));
  const user = await openApp('/admin/change-password');
  await user.type(await field(), 'password');
  await user.click(update());
  expect(await screen.findByRole('alert')).toHaveTextContent('This password is too common');
  expect(place()).toBe('/admin/change-password');
  expect(localStorage.getItem('user')).not.toBeNull();
});

test('a sign-in that is too old is reported once and leads to the sign-in', async () => {
  signedInAs(member({}));
  server.use(post(CALL, () => refusal(401, 'Please sign in again')));
  const user = await openApp('/admin/change-password');
  await user.type(await field(), 'a new password');
  await user.click(update());
  expect(await screen.findByLabelText('Email ID')).toBeVisible();
  expect(await screen.findAllByText('Please sign in again')).toHaveLength(1);
});
