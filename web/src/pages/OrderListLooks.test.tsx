import { screen, waitFor } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { expect, test, vi } from 'vitest';
import type { ListSettings } from '@/api/types';
import { openApp, place } from '@/testing/openApp';
import { LIST, openNewOrders, rowOf } from '@/testing/openList';
import {
  get,
  listOf,
  member,
  orderNumber,
  post,
  put,
  refusal,
  server,
  signedInAs,
  success,
} from '@/testing/server';

const SETTINGS = '/api/admin/list-settings';
const titles = () =>
  screen
    .getAllByRole('columnheader')
    .map(({ textContent }) => textContent)
    .filter(Boolean);

test('a row has a chip only for what is wrong with its order', async () => {
  signedInAs(member());
  server.use(
    listOf('newOrder', [
      orderNumber(100234),
      orderNumber(100235, { missing_documents: 0 }),
      orderNumber(100236, { missing_documents: 1 }),
      orderNumber(100237, { missing_documents: 2, mail_problem: 'failed' }),
      orderNumber(100238, { mail_problem: 'unknown' }),
    ]),
  );
  await openApp('/admin/recent-order');
  const texts = [];
  for (const id of [100234, 100235, 100236, 100237, 100238]) {
    const cells = (await rowOf(id)).getAllByRole('cell');
    texts.push(cells.find((cell) => cell.dataset['label'] === 'Status')?.textContent);
  }
  expect(texts).toEqual([
    'New',
    'New',
    'New1 doc missing',
    'NewEmail failed2 docs missing',
    'NewEmail unknown',
  ]);
});

test('the height of rows and the hidden columns are saved, and come back with the member', async () => {
  const settings: ListSettings = {
    density: 'compact',
    hidden_columns: { newOrder: ['email'] },
    newest_comment: false,
  };
  signedInAs({ ...member(), list_settings: settings });
  const comment = { text: 'Called, no answer', by: 'Budi', at: '2026-01-05T03:00:00Z' };
  server.use(
    get(LIST, ({ request }) => {
      const asked = new URL(request.url).searchParams.get('comments');
      const row = orderNumber(100234, { newest_comment: asked === 'newest' ? comment : null });
      return success({ data: [row], total: 1, more: false, limited: false, page: 1, limit: 10 });
    }),
  );
  const saved: unknown[] = [];
  server.use(
    put(SETTINGS, async ({ request }) => {
      const body = (await request.json()) as ListSettings;
      saved.push(body);
      return success({ data: body });
    }),
  );
  const user = await openApp('/admin/recent-order');
  await rowOf(100234);
  expect(titles()).toEqual(['Order Id', 'Name', 'Telephone', 'Date & Time', 'Status', 'Action']);
  expect(screen.getByRole('button', { name: 'Compact rows', pressed: true })).toBeVisible();

  await user.click(screen.getByRole('button', { name: /^Columns/ }));
  await user.click(screen.getByRole('checkbox', { name: 'Telephone' }));
  expect(titles()).toEqual(['Order Id', 'Name', 'Date & Time', 'Status', 'Action']);
  await user.click(screen.getByRole('checkbox', { name: 'Email' }));
  await user.click(screen.getByRole('checkbox', { name: 'Newest comment, in all lists' }));
  expect(await screen.findByRole('cell', { name: 'Called, no answer' })).toBeVisible();
  expect(titles()).toContain('Newest comment');
  await user.click(screen.getByRole('button', { name: 'Compact rows' }));
  expect(screen.getByRole('button', { name: 'Compact rows', pressed: false })).toBeVisible();
  const without = { newOrder: ['telephone'] };
  await waitFor(() =>
    expect(saved).toEqual([
      { ...settings, hidden_columns: { newOrder: ['email', 'telephone'] } },
      { ...settings, hidden_columns: without },
      { ...settings, hidden_columns: without, newest_comment: true },
      { density: 'comfortable', hidden_columns: without, newest_comment: true },
    ]),
  );
});

test('a choice that the server refuses is taken back', async () => {
  server.use(put(SETTINGS, () => refusal(503, 'The database is busy')));
  const user = await openNewOrders([orderNumber(100234)]);
  await rowOf(100234);
  await user.click(screen.getByRole('button', { name: 'Compact rows' }));
  expect(await screen.findByText('The database is busy')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Compact rows', pressed: false })).toBeVisible();
});

test('quick choices reach the server one after another, and a refused one leaves the newer ones', async () => {
  const gate = new EventTarget();
  const refused = new Promise((resolve) => gate.addEventListener('now', resolve));
  const saved: string[] = [];
  server.use(
    put(SETTINGS, async ({ request }) => {
      const settings = (await request.json()) as ListSettings;
      saved.push(settings.density);
      if (saved.length > 1) return success({ data: settings });
      await refused;
      return refusal(503, 'The database is busy');
    }),
  );
  const user = await openNewOrders([orderNumber(100234)]);
  await rowOf(100234);
  await user.click(screen.getByRole('button', { name: 'Compact rows' }));
  await user.click(screen.getByRole('button', { name: 'Compact rows' }));
  await user.click(screen.getByRole('button', { name: 'Compact rows' }));
  await waitFor(() => expect(saved).toEqual(['compact']));
  gate.dispatchEvent(new Event('now'));
  await waitFor(() => expect(saved).toEqual(['compact', 'comfortable', 'compact']));
  expect(screen.getByText('The database is busy')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Compact rows', pressed: true })).toBeVisible();
});

test('Contact Customer offers no Telephone among its columns', async () => {
  signedInAs(member());
  server.use(listOf('contactCustomerOrder', [orderNumber(100234)]));
  const user = await openApp('/admin/contact-customer');
  await rowOf(100234);
  await user.click(screen.getByRole('button', { name: /^Columns/ }));
  expect(screen.getByRole('checkbox', { name: 'Email' })).toBeChecked();
  expect(screen.queryByRole('checkbox', { name: 'Telephone' })).toBeNull();
});

test('members with permission download the list as it is filtered', async () => {
  const createObjectURL = vi.fn<() => string>(() => 'blob:file');
  Object.assign(URL, { createObjectURL, revokeObjectURL: () => {} });
  signedInAs(member());
  const asked: string[] = [];
  server.use(
    post('/api/admin/search-order', () =>
      success({ data: [orderNumber(100777)], total: 1, more: false, page: 1, limit: 10 }),
    ),
    get('/api/admin/orders-csv/:orderName', ({ request, params }) => {
      asked.push(String(params['orderName']) + new URL(request.url).search);
      return new HttpResponse('Order Id\r\n', { headers: { 'content-type': 'text/csv' } });
    }),
  );
  const user = await openApp('/admin/chargeback?q=emily&page=1');
  await rowOf(100777);
  await user.click(screen.getByRole('button', { name: 'Download as CSV' }));
  await waitFor(() => expect(createObjectURL).toHaveBeenCalled());
  expect(asked).toHaveLength(1);
  const [folder, query] = asked[0]!.split('?');
  expect([folder, Object.fromEntries(new URLSearchParams(query))]).toEqual([
    'chargeBackOrder',
    { search: 'emily', userName: 'Ayu Lestari', sort: 'urgency' },
  ]);
});

test('members who may not export have no download', async () => {
  await openNewOrders([orderNumber(100234)], member({}));
  await rowOf(100234);
  expect(screen.queryByRole('button', { name: 'Download as CSV' })).toBeNull();
});

test('ChargeBack alone opens with the most urgent first, and the address keeps another choice', async () => {
  signedInAs(member());
  const sorts: (string | null)[] = [];
  server.use(
    get('/api/admin/get-orders-list/:orderName', ({ request }) => {
      sorts.push(new URL(request.url).searchParams.get('sort'));
      const data = [orderNumber(100234)];
      return success({ data, total: 1, more: false, page: 1, limit: 10 });
    }),
  );
  const user = await openApp('/admin/chargeback');
  await rowOf(100234);
  expect(screen.getByRole('button', { name: 'Most urgent first' })).toBePressed();
  await user.click(screen.getByRole('button', { name: 'Newest first' }));
  await waitFor(() => expect(sorts).toEqual(['urgency', null]));
  expect(screen.getByRole('button', { name: 'Newest first' })).toBePressed();
  expect(place()).toBe('/admin/chargeback?sort=newest');
  await user.click(screen.getByRole('button', { name: 'Most urgent first' }));
  expect(place()).toBe('/admin/chargeback');

  await user.click(screen.getByRole('link', { name: /^New Orders/ }));
  await rowOf(100234);
  expect(screen.queryByRole('button', { name: 'Most urgent first' })).toBeNull();
});
