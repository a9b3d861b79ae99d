import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import type { SavedView, SaveView } from '@/api/types';
import { go, openApp } from '@/testing/openApp';
import { LIST, rowOf } from '@/testing/openList';
import { get, member, orderNumber, post, server, signedInAs, success } from '@/testing/server';

/** Serves Awaiting Customer: with a filter one order, without one two. Returns the queries that were asked. */
function serveList(limited = false) {
  const asked: Record<string, string>[] = [];
  server.use(
    get(LIST, ({ request }) => {
      const query = Object.fromEntries(new URL(request.url).searchParams);
      asked.push(query);
      const rows = query['owner'] ? [100234] : [100234, 100235];
      const data = rows.map((id) => orderNumber(id));
      return success({ data, total: rows.length, more: false, limited, page: 1, limit: 10 });
    }),
    get('/api/admin/colleagues', () =>
      success({ data: [{ staff_id: 7, name: 'Budi Santoso', type: 'Team' as const }] }),
    ),
  );
  return asked;
}

const chips = () =>
  within(screen.getByRole('list', { name: 'Filters' }))
    .getAllByRole('listitem')
    .map((chip) => chip.textContent);
const title = () => screen.getByRole('columnheader', { name: /^Date/ });
const address = () => Object.fromEntries(new URLSearchParams(location.search));

test('filters are chosen in one dialog, are in the address, and each chip can be removed', async () => {
  signedInAs(member());
  const asked = serveList();
  const user = await openApp('/admin/awaiting-response?page=2');
  await rowOf(100235);
  await user.click(screen.getByRole('button', { name: 'Filter' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Filter this list' }));
  expect(dialog.queryByLabelText('Status'), 'all orders of the folder have one').toBeNull();
  await user.selectOptions(dialog.getByLabelText('Owner'), 'Budi Santoso');
  await user.type(dialog.getByLabelText('Nationality'), 'Spain');
  await user.type(dialog.getByLabelText('Received from'), '02012026');
  await user.click(dialog.getByRole('button', { name: 'Apply' }));

  await waitFor(() => expect(screen.queryByRole('row', { name: /100235/ })).toBeNull());
  const filter = { nationality: 'Spain', from: '2026-01-02', owner: '7' };
  expect(address()).toEqual(filter);
  expect(asked.at(-1)).toMatchObject(filter);
  expect(chips().slice(0, 3)).toEqual([
    'Nationality: Spain',
    'Received from 02-01-2026',
    'Owner: Budi Santoso',
  ]);
  await user.click(screen.getByRole('button', { name: 'Remove filter Nationality: Spain' }));
  expect(address()).toEqual({ from: '2026-01-02', owner: '7' });
  expect(
    screen.getByRole('button', { name: 'Remove filter Received from 02-01-2026' }),
  ).toHaveFocus();
  await user.click(screen.getByRole('button', { name: /^Remove filter Received/ }));
  await user.click(screen.getByRole('button', { name: /^Remove filter Owner/ }));
  expect(screen.getByRole('button', { name: 'Filter' })).toHaveFocus();
  await go(-3);
  expect(address()).toEqual(filter);
  await user.click(screen.getByRole('button', { name: 'Clear filters' }));
  await rowOf(100235);
  expect(address()).toEqual({});
  expect(screen.getByRole('button', { name: 'Filter' })).toHaveFocus();
});

test('a search keeps the filter, and an empty list offers to clear what hides its orders', async () => {
  signedInAs(member());
  serveList();
  const searched: unknown[] = [];
  server.use(
    post('/api/admin/search-order', async ({ request }) => {
      searched.push(await request.json());
      return success({ data: [], total: 0, more: false, limited: false, page: 1, limit: 10 });
    }),
  );
  const user = await openApp('/admin/awaiting-response?owner=none');
  await rowOf(100234);
  await user.type(screen.getByRole('searchbox'), 'emily');
  expect(
    await screen.findByText('Nothing in this folder matches “emily” and the filters.'),
  ).toBeVisible();
  expect(searched.at(-1)).toMatchObject({ searchVal: 'emily', filter: { owner: 'none' } });
  await user.click(screen.getByRole('button', { name: 'Clear search' }));
  await rowOf(100234);
  server.use(
    get(LIST, () =>
      success({ data: [], total: 0, more: false, limited: true, page: 1, limit: 10 }),
    ),
  );
  await go('/admin/awaiting-response?owner=none&visa=C1');
  expect(
    await screen.findByText('No order in this folder matches the filters above.'),
  ).toBeVisible();
  expect(screen.getByText(/only the newest 50,000 orders were filtered/)).toBeVisible();
  serveList();
  // The empty list and the chips offer it.
  await user.click(screen.getAllByRole('button', { name: 'Clear filters' })[0]!);
  await rowOf(100235);
});

test('a filtered list marks a row that no longer matches', async () => {
  signedInAs(member());
  serveList();
  const tell: ReadableStreamDefaultController<Uint8Array>[] = [];
  const read: string[] = [];
  server.use(
    http.get(
      '*/api/admin/live',
      () =>
        new HttpResponse(new ReadableStream<Uint8Array>({ start: (one) => void tell.push(one) })),
    ),
    get('/api/admin/order-rows/:orderName/:orderIds', ({ request }) => {
      read.push(new URL(request.url).search);
      return success({ data: [] });
    }),
  );
  await openApp('/admin/awaiting-response?owner=none');
  await rowOf(100234);
  await waitFor(() => expect(tell).toHaveLength(1));
  const orders = [{ order_id: 100234, folders: ['awaitingOrder'] }];
  const event = { cursor: 1, all: false, orders, counts: {}, unread: 0 };
  tell[0]!.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(event)}\n\n`));
  expect(await screen.findByText('No longer in this list')).toBeVisible();
  expect(read[0]).toContain('owner=none');
});

test('a filtered list is saved as a view, which the sidebar leads to with its count', async () => {
  signedInAs(member());
  serveList();
  const views: SavedView[] = [];
  const sent: unknown[] = [];
  server.use(
    get('/api/admin/saved-views', () => success({ data: { may_share: true, views } })),
    get('/api/admin/saved-view-counts', () => success({ data: [{ view_id: 1, count: 100 }] })),
    http.put('*/api/admin/saved-view', async ({ request }) => {
      const body = (await request.json()) as SaveView;
      sent.push(body);
      const { isShared, ...view } = body;
      views.push({ ...view, view_id: 1, is_shared: isShared, by: 'Ayu', may_change: true });
      return success({ message: 'The view has been saved' });
    }),
    http.put('*/api/admin/delete-saved-view', async ({ request }) => {
      sent.push(await request.json());
      views.pop();
      return success({ message: 'The view has been deleted' });
    }),
  );
  const user = await openApp('/admin/awaiting-response?owner=none');
  await rowOf(100234);
  await user.click(await screen.findByRole('button', { name: 'Save view' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Save as a view' }));
  await user.type(dialog.getByLabelText('Name'), 'Nobody’s');
  await user.click(dialog.getByRole('checkbox', { name: 'Share it with all members' }));
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  const link = await screen.findByRole('link', { name: 'Nobody’s 99+' });
  expect(sent).toEqual([
    { name: 'Nobody’s', folder: 'awaitingOrder', filter: { owner: 'none' }, isShared: true },
  ]);
  expect(link).toHaveAttribute('href', '/admin/awaiting-response?owner=none');
  expect(link).toHaveAttribute('aria-current', 'true');
  await user.click(screen.getByRole('button', { name: 'Delete view' }));
  await user.click(screen.getByRole('button', { name: 'Yes, delete' }));
  await waitFor(() => expect(screen.queryByRole('link', { name: /Nobody’s/ })).toBeNull());
  expect(sent.at(-1)).toEqual({ viewId: 1 });
});

test('a column title with an index reverses the list, and says in which order it is', async () => {
  signedInAs(member());
  const asked = serveList();
  const user = await openApp('/admin/awaiting-response?page=3');
  await rowOf(100235);
  expect(title()).toHaveAttribute('aria-sort', 'descending');
  await user.click(within(title()).getByRole('button'));
  await waitFor(() => expect(asked.at(-1)).toMatchObject({ sort: 'reversed', page: '1' }));
  expect(title()).toHaveAttribute('aria-sort', 'ascending');
  expect(address()).toEqual({ sort: 'reversed' });
  await user.click(within(title()).getByRole('button'));
  expect(address()).toEqual({});
  expect(screen.getByRole('columnheader', { name: 'Name' })).not.toHaveAttribute('aria-sort');
});

test('a list by urgency becomes one by date, which can be reversed', async () => {
  signedInAs(member());
  const asked = serveList();
  const user = await openApp('/admin/chargeback');
  await rowOf(100235);
  expect(title()).toHaveAttribute('aria-sort', 'none');
  expect(asked.at(-1)).toMatchObject({ sort: 'urgency' });
  for (const [sort, sent, direction] of [
    ['newest', undefined, 'descending'],
    ['reversed', 'reversed', 'ascending'],
    ['newest', undefined, 'descending'],
  ]) {
    await user.click(within(title()).getByRole('button'));
    expect(address()).toEqual({ sort });
    expect(title()).toHaveAttribute('aria-sort', direction);
    await waitFor(() => expect(asked.at(-1)?.['sort']).toBe(sent));
  }
});
