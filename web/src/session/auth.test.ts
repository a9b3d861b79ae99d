import { expect, test } from 'vitest';
import { storeLogin } from '@/api/storedLogin';
import { auth, useAuth } from './auth';

const person = { id: 1, name: 'Ayu Lestari', email: 'ayu@visadesk.example', type: 'Admin' };
const signedOut = {
  loading: false,
  error: '',
  data: null,
  isAuth: false,
  role: '',
  userInfoLoading: false,
};

test('no member is signed in at first', () => {
  expect(useAuth.getState()).toEqual(signedOut);
});

test('a pending sign-in is loading', () => {
  auth.pending();
  expect(useAuth.getState()).toEqual({ ...signedOut, loading: true });
});

test('a rejected sign-in keeps the message and stops loading', () => {
  auth.pending();
  auth.rejected('Wrong password');
  expect(useAuth.getState()).toEqual({ ...signedOut, error: 'Wrong password' });
});

test('a fulfilled sign-in with data signs in and keeps the data', () => {
  auth.pending();
  auth.fulfilled(person);
  expect(useAuth.getState()).toEqual({ ...signedOut, isAuth: true, data: person });
});

test('a fulfilled sign-in without data only stops loading', () => {
  auth.pending();
  auth.fulfilled(undefined);
  expect(useAuth.getState()).toEqual(signedOut);
});

test('logging out clears everything', () => {
  auth.fulfilled(person);
  auth.userInfoFulfilled('Admin');
  auth.logout();
  expect(useAuth.getState()).toEqual(signedOut);
});

test('the role is known once user_info has loaded', () => {
  auth.userInfoPending();
  expect(useAuth.getState().userInfoLoading).toBe(true);
  auth.userInfoFulfilled('Telecaller');
  expect(useAuth.getState()).toEqual({ ...signedOut, role: 'Telecaller' });
});

test('a role that cannot be loaded is no longer loading', () => {
  auth.userInfoPending();
  auth.userInfoRejected();
  expect(useAuth.getState()).toEqual(signedOut);
});

test('a sign-in or sign-out in another tab leaves nothing of the member before', () => {
  auth.fulfilled(person);
  auth.userInfoFulfilled('Admin');
  const payload = btoa(JSON.stringify({ user: { name: 'Budi', type: 'Team' } }));
  storeLogin(`head.${payload}.signature`);
  auth.loginReplaced();
  expect(useAuth.getState()).toEqual({ ...signedOut, isAuth: true });
  localStorage.clear();
  auth.loginReplaced();
  expect(useAuth.getState()).toEqual(signedOut);
});
