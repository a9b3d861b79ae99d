import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { ApiKey } from '@/api/types';
import { openApp } from '@/testing/openApp';
import { get, member, post, refusal, server, signedInAs, success } from '@/testing/server';

const KEY = `visadesk_${'3fa9c1'.repeat(10)}abcd`;

function apiKey(fields: Partial<ApiKey> = {}): ApiKey {
  return {
    id: 4,
    name: 'evisa-shop-2026',
    source: 'E-Visa Shop',
    rights: ['orders', 'payments', 'documents', 'gateway'],
    expires_at: null,
    networks: null,
    calls_per_minute: null,
    strict: false,
    start: 'visadesk_3fa9c1',
    state: 'active',
    created_at: '2026-11-20T02:41:07Z',
    last_used_at: null,
    revoked_at: null,
    ...fields,
  };
}

/** Serves these keys, to which each new key is added; keeps what was sent. */
function keys(...known: ApiKey[]): { sent: unknown[]; keys: ApiKey[] } {
  signedInAs(member());
  const state = { sent: [] as unknown[], keys: known };
  server.use(
    get('/api/admin/api-keys', () => success({ data: state.keys })),
    post('/api/admin/add-api-key', async ({ request }) => {
      const body = (await request.json()) as { name: string };
      state.sent.push(body);
      state.keys = [apiKey({ id: 5, name: body.name }), ...state.keys];
      return success({ data: { id: 5, name: body.name, key: KEY } });
    }),
    post('/api/admin/revoke-api-key', async ({ request }) => {
      state.sent.push(await request.json());
      state.keys = state.keys.map((key) => ({ ...key, state: 'revoked' }));
      return success({}, 'The key evisa-shop-2026 has been revoked');
    }),
  );
  return state;
}

const name = () => screen.findByLabelText('Name');
const revoke = () => screen.findByRole('button', { name: 'Revoke evisa-shop-2026' });
const create = () => screen.getByRole('button', { name: 'Create key' });

test('a key with limits is created, shown once and copied', async () => {
  const { sent } = keys();
  const user = await openApp('/admin/api-keys');
  await user.type(await name(), 'shop');
  await user.type(screen.getByLabelText('Source'), 'Visa Shop');
  await user.click(screen.getByLabelText('Add documents'));
  await user.type(screen.getByLabelText('Expires'), '31-01-2027');
  await user.type(screen.getByLabelText('Networks'), '203.0.113.0/24');
  await user.type(screen.getByLabelText('Calls per minute'), '60');
  await user.click(screen.getByLabelText('Refuse them (strict)'));
  await user.click(create());
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText(KEY)).toBeVisible();
  expect(dialog.getByText(/It is not shown again/)).toBeVisible();
  expect(sent).toEqual([
    {
      name: 'shop',
      source: 'Visa Shop',
      rights: ['orders', 'payments', 'gateway'],
      expires: '2027-01-31',
      networks: '203.0.113.0/24',
      calls_per_minute: 60,
      strict: true,
    },
  ]);
  await user.click(dialog.getByRole('button', { name: 'Copy key' }));
  expect(await navigator.clipboard.readText()).toBe(KEY);
  await user.click(dialog.getByRole('button', { name: 'Close' }));
  expect(screen.queryByText(KEY)).toBeNull();
  expect(await name()).toHaveValue('');
  expect(screen.getByRole('button', { name: 'Revoke shop' })).toBeVisible();
});

test('without options nothing limits the key', async () => {
  const { sent } = keys();
  const user = await openApp('/admin/api-keys');
  await user.type(await name(), 'shop');
  await user.click(create());
  await screen.findByRole('dialog');
  const rights = ['orders', 'payments', 'documents', 'gateway'];
  const none = {
    source: null,
    expires: null,
    networks: null,
    calls_per_minute: null,
    strict: false,
  };
  expect(sent).toEqual([{ name: 'shop', rights, ...none }]);
});

test('missing and wrong fields show their errors, and nothing is sent', async () => {
  const { sent } = keys();
  const user = await openApp('/admin/api-keys');
  await name();
  for (const right of screen.getAllByRole('checkbox')) await user.click(right);
  await user.type(screen.getByLabelText('Calls per minute'), '0');
  await user.click(create());
  expect(await screen.findByText('Please enter a name')).toBeVisible();
  expect(screen.getByText('Please select at least one right')).toBeVisible();
  expect(screen.getByText('Please enter a whole number from 1 to 100,000')).toBeVisible();
  expect(sent).toEqual([]);
});

test('a refusal is shown, and what was typed stays', async () => {
  keys();
  const taken = 'There is or was a key named shop. Please choose another name';
  server.use(post('/api/admin/add-api-key', () => refusal(409, taken, 'api_key_name_taken')));
  const user = await openApp('/admin/api-keys');
  await user.type(await name(), 'shop');
  await user.click(create());
  expect(await screen.findByText(taken)).toBeVisible();
  expect(await name()).toHaveValue('shop');
});

test('a key is revoked after a confirmation', async () => {
  const { sent } = keys(apiKey());
  const user = await openApp('/admin/api-keys');
  await user.click(await revoke());
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(sent).toEqual([]);
  await user.click(await revoke());
  await user.click(screen.getByRole('button', { name: 'Yes, revoke' }));
  expect(await screen.findByText('The key evisa-shop-2026 has been revoked')).toBeVisible();
  expect(sent).toEqual([{ apiKeyId: 4 }]);
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Revoke/ })).toBeNull());
  expect(screen.getByText('0 in use')).toBeVisible();
});

test('keys are found by name, source and first characters', async () => {
  const other = { id: 3, name: 'old', source: null, start: 'visadesk_00ff00' };
  keys(apiKey(), apiKey(other));
  const user = await openApp('/admin/api-keys');
  const search = await screen.findByLabelText('Search the keys');
  for (const [text, found] of [
    ['2026', 'evisa-shop-2026'],
    ['visadesk_00', 'old'],
    ['e-visa shop', 'evisa-shop-2026'],
  ] as const) {
    await user.clear(search);
    await user.type(search, text);
    expect(await screen.findByRole('button', { name: `Revoke ${found}` })).toBeVisible();
    await waitFor(() => expect(screen.getAllByRole('button', { name: /^Revoke/ })).toHaveLength(1));
  }
  await user.type(search, 'zzz');
  expect(await screen.findByText(/^No key matches/)).toBeVisible();
});
