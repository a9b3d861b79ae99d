import { expect, test } from 'vitest';
import { storedLogin, storeLogin } from './storedLogin';

const token = (payload: string) => `head.${payload}.signature`;
const payload = (value: unknown) =>
  btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(value))));
const ayu = { user: { name: 'Ayu', type: 'Admin' } };

test('a stored sign-in returns its user', () => {
  storeLogin(token(payload(ayu)));
  expect(storedLogin()).toEqual({ accessToken: token(payload(ayu)), user: ayu.user });
});

test('a name in any script survives', () => {
  storeLogin(token(payload({ user: { name: '王小明', type: 'Team' } })));
  expect(storedLogin()?.user.name).toBe('王小明');
});

test('nothing stored is signed out', () => {
  expect(storedLogin()).toBeNull();
});

test.each([
  ['is not a string', JSON.stringify({ accessToken: 5 })],
  ['lacks a part', JSON.stringify({ accessToken: `head.${payload(ayu)}` })],
  ['is bad base64', JSON.stringify({ accessToken: token('%%%') })],
  ['is bad JSON', JSON.stringify({ accessToken: token(btoa('{user')) })],
  ['has no name', JSON.stringify({ accessToken: token(payload({ user: {} })) })],
  ['is stored without JSON', 'token'],
])('a token that %s counts as signed out and is removed', (_, stored) => {
  localStorage.setItem('user', stored);
  expect(storedLogin()).toBeNull();
  expect(localStorage.getItem('user')).toBeNull();
});
