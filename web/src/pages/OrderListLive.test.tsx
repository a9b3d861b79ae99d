import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import type { LiveChanges } from '@/api/liveCalls';
import { openApp } from '@/testing/openApp';
import { get, listOf, member, orderNumber, server, signedInAs, success } from '@/testing/server';

/** Answers the stream of changes, and returns how the test adds to it. */
function serveStream() {
  let told: ReadableStreamDefaultController<Uint8Array> | undefined;
  server.use(
    http.get(
      '*/api/admin/live',
      () =>
        new HttpResponse(
          new ReadableStream<Uint8Array>({
            start: (controller) => {
              told = controller;
            },
          }),
        ),
    ),
  );
  return async (changes: Partial<LiveChanges>) => {
    await waitFor(() => expect(told).toBeDefined());
    const event = { cursor: 1, all: false, orders: [], counts: {}, unread: 0, ...changes };
    told?.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(event)}\n\n`));
  };
}

/** Opens New Orders with two orders, of which `rows` are those that the server has. */
async function openList(rows = [orderNumber(100235), orderNumber(100234)]) {
  signedInAs(member());
  const tell = serveStream();
  server.use(listOf('newOrder', rows));
  const user = await openApp('/admin/recent-order');
  await screen.findByRole('row', { name: /100235/ });
  return { user, tell, rows };
}

/** A change of an order that is in New Orders. */
const listed = (order_id: number) => ({ order_id, folders: ['newOrder'] });

test('a new order waits until it is asked for, and the counts follow', async () => {
  const { user, tell, rows } = await openList();
  await tell({ orders: [{ order_id: 100236, folders: ['newOrder'] }], counts: { newOrder: 77 } });
  const show = await screen.findByRole('button', { name: '1 new order, show' });
  expect(await screen.findByRole('link', { name: 'New Orders 77' })).toBeVisible();
  expect(screen.queryByRole('row', { name: /100236/ })).toBeNull();
  rows.unshift(orderNumber(100236));
  await user.click(show);
  expect(await screen.findByRole('row', { name: /100236/ })).toBeVisible();
  expect(screen.queryByRole('button', { name: /new order/ })).toBeNull();
});

test('a change of an order on a later page is no news', async () => {
  signedInAs(member());
  const tell = serveStream();
  server.use(listOf('newOrder', [orderNumber(100235), orderNumber(100234)], 40));
  await openApp('/admin/recent-order');
  await screen.findByRole('row', { name: /100235/ });
  await tell({ orders: [listed(100200)] });
  await tell({ orders: [listed(100236), listed(100201)] });
  expect(await screen.findByRole('button', { name: '1 new order, show' })).toBeVisible();
});

test('a filtered list asks which of the new orders it has, and counts these', async () => {
  signedInAs(member());
  const tell = serveStream();
  const asked: string[] = [];
  server.use(
    listOf('awaitingOrder', [orderNumber(100235)]),
    get('/api/admin/order-rows/:orderName/:orderIds', ({ params, request }) => {
      asked.push(`${String(params['orderIds'])} ${new URL(request.url).search}`);
      return success({ data: [orderNumber(100237)] });
    }),
  );
  await openApp('/admin/awaiting-response?visa=C1');
  await screen.findByRole('row', { name: /100235/ });
  for (const order_id of [100236, 100237]) {
    await tell({ orders: [{ order_id, folders: ['awaitingOrder'] }] });
  }
  const news = { name: '1 new order, show' };
  expect(await screen.findByRole('button', news, { timeout: 5_000 })).toBeVisible();
  expect(asked).toEqual([expect.stringMatching(/^100237,100236 .*visa=C1/)]);
});

test('a reversed list tells of new orders on its last page', async () => {
  signedInAs(member());
  const tell = serveStream();
  server.use(listOf('awaitingOrder', [orderNumber(100235)], 11));
  await openApp('/admin/awaiting-response?sort=reversed&page=2');
  await screen.findByRole('row', { name: /100235/ });
  for (const order_id of [100234, 100236]) {
    await tell({ orders: [{ order_id, folders: ['awaitingOrder'] }] });
  }
  expect(await screen.findByRole('button', { name: '1 new order, show' })).toBeVisible();
});

test('a row that left says so and stays in its place, and one that changed is read again', async () => {
  const { tell } = await openList();
  server.use(
    get('/api/admin/order-rows/:orderName/:orderIds', ({ params }) => {
      const ids = String(params['orderIds']).split(',').map(Number);
      return success({ data: ids.map((id) => orderNumber(id, { full_name: `Corrected ${id}` })) });
    }),
  );
  await tell({
    orders: [
      { order_id: 100235, folders: ['myOrder'] },
      { order_id: 100234, folders: ['newOrder'] },
    ],
  });
  expect(await screen.findByRole('row', { name: /Corrected 100234/ })).toBeVisible();
  const left = screen.getByRole('row', { name: /100235/ });
  expect(within(left).getByText('No longer in this list')).toBeVisible();
  await tell({ orders: [{ order_id: 100235, folders: ['newOrder'] }] });
  expect(await screen.findByRole('row', { name: /Corrected 100235/ })).toBeVisible();
  expect(screen.queryByText('No longer in this list')).toBeNull();
});

test('a row says where a search found its text, also once it is read again', async () => {
  const found = [orderNumber(100235, { found_in: 'comment' }), orderNumber(100234)];
  const { tell } = await openList(found);
  server.use(
    get('/api/admin/order-rows/:orderName/:orderIds', () =>
      success({ data: [orderNumber(100235, { full_name: 'Corrected' })] }),
    ),
  );
  await tell({ orders: [listed(100235)] });
  const row = await screen.findByRole('row', { name: /Corrected/ });
  expect(within(row).getByText('In a comment')).toBeVisible();
  expect(screen.getAllByText('In a comment')).toHaveLength(1);
});

test('when anything may have changed, the list is loaded again', async () => {
  const { tell, rows } = await openList();
  rows.unshift(orderNumber(100237));
  await tell({ all: true });
  expect(await screen.findByRole('row', { name: /100237/ })).toBeVisible();
});

test('a row has the initials of the colleagues who have its order open, until they leave', async () => {
  const { tell } = await openList();
  const colleagues = [{ staff_id: 8, name: 'Sari Dewi', type: 'Team' as const }];
  server.use(get('/api/admin/colleagues', () => success({ data: colleagues })));
  await tell({ colleagues: [{ order_id: 100234, staff_id: 8, activity: 'typing' }] });
  const row = await screen.findByRole('row', { name: /100234.*Sari Dewi is typing/ });
  expect(within(row).getByText('SD…')).toBeVisible();
  expect(screen.getByRole('row', { name: /100235/ })).not.toHaveTextContent('SD');
  // An event without them leaves them as they are.
  await tell({ counts: { newOrder: 78 } });
  expect(await screen.findByRole('link', { name: 'New Orders 78' })).toBeVisible();
  expect(within(row).getByText('SD…')).toBeVisible();
  // Another tab that closes reports no colleagues.
  const [closing, hearing] = [
    new BroadcastChannel('visadesk.live'),
    new BroadcastChannel('visadesk.live'),
  ];
  const heard = new Promise((resolve) => hearing.addEventListener('message', resolve));
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin
  closing.postMessage({ state: { connection: 'off', colleagues: new Map() } });
  await heard;
  closing.close();
  hearing.close();
  await tell({ counts: { newOrder: 79 } });
  expect(await screen.findByRole('link', { name: 'New Orders 79' })).toBeVisible();
  expect(within(row).getByText('SD…')).toBeVisible();
  await tell({ colleagues: [] });
  await waitFor(() => expect(row).not.toHaveTextContent('Sari Dewi'));
});

test('the title of the tab and the inbox count what is unread', async () => {
  const { tell } = await openList();
  await tell({ unread: 3 });
  expect(await screen.findByRole('button', { name: 'Inbox, 3 unread' })).toBeVisible();
  expect(document.title).toBe('(3) Visadesk');
});
