import { expect, test, vi } from 'vitest';
import { onLoginChange, storedLogin, storeLogin } from './storedLogin';

const token = (payload: string) => `head.${payload}.signature`;
const payload = (value: unknown) =>
  btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(value))));
const ayu = { user: { name: 'Ayu', type: 'Admin' } };

const changeElsewhere = (key: string | null) =>
  window.dispatchEvent(new StorageEvent('storage', { key }));

test('a stored sign-in returns its user', () => {
  storeLogin(token(payload(ayu)));
  expect(storedLogin()).toEqual({ accessToken: token(payload(ayu)), user: ayu.user });
});

test('a name in any script survives', () => {
  storeLogin(token(payload({ user: { name: '王小明', type: 'Team' } })));
  expect(storedLogin()?.user.name).toBe('王小明');
});

test('a token is base64 for addresses, with - and _', () => {
  const name = '>>>???';
  const written = payload({ user: { name, type: 'Team' } });
  expect(written).toMatch(/\+.*\//);
  storeLogin(token(written.replaceAll('+', '-').replaceAll('/', '_')));
  expect(storedLogin()?.user.name).toBe(name);
});

test('nothing stored is signed out', () => {
  expect(storedLogin()).toBeNull();
});

test.each([
  ['is not a string', JSON.stringify({ accessToken: 5 })],
  ['lacks its signature', JSON.stringify({ accessToken: `head.${payload(ayu)}` })],
  ['lacks its head', JSON.stringify({ accessToken: `.${payload(ayu)}.signature` })],
  ['is bad base64', JSON.stringify({ accessToken: token('%%%') })],
  ['is bad JSON', JSON.stringify({ accessToken: token(btoa('{user')) })],
  ['has no name', JSON.stringify({ accessToken: token(payload({ user: { type: 'Team' } })) })],
  ['has no type', JSON.stringify({ accessToken: token(payload({ user: { name: 'Ayu' } })) })],
  ['is stored without JSON', 'token'],
])('a token that %s counts as signed out and is removed', (_, stored) => {
  localStorage.setItem('user', stored);
  expect(storedLogin()).toBeNull();
  expect(localStorage.getItem('user')).toBeNull();
});

test('another tab that signs in or out, or clears all it stores, is noticed', () => {
  const noticed = vi.fn<() => void>();
  onLoginChange(noticed);
  changeElsewhere('user');
  expect(noticed).toHaveBeenCalledTimes(1);
  changeElsewhere(null);
  expect(noticed).toHaveBeenCalledTimes(2);
  changeElsewhere('visadesk.other');
  expect(noticed).toHaveBeenCalledTimes(2);
});
