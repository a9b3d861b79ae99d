import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { allowedInList } from '@/testing/allowed';
import { colleagueAt } from '@/testing/colleague';
import { openApp } from '@/testing/openApp';
import { rowOf } from '@/testing/openList';
import {
  get,
  listOf,
  member,
  orderNumber,
  put,
  refusal,
  server,
  signedInAs,
  success,
} from '@/testing/server';

const REFUND = '/api/admin/move-to-complete-refund';
const QUESTION = 'Are you sure you want to mark the selected orders as refunded?';
const due = (id: number) =>
  orderNumber(id, { process_status: 'Refunds', allowed: allowedInList({ refund: true }) });

/** Serves refunds. Returns the ids of each call. */
function takeRefunds(answer: (ids: number[]) => Response): number[][] {
  const sent: number[][] = [];
  server.use(
    put(REFUND, async ({ request }) => {
      const { orderId } = (await request.json()) as { orderId: number[] };
      sent.push(orderId);
      return answer(orderId);
    }),
  );
  return sent;
}

test('due and completed refunds look different, and a row can only be viewed', async () => {
  signedInAs(member());
  server.use(
    listOf('refundOrder', [due(100234), { ...due(100235), refund_date: '2026-11-19T18:30:00Z' }]),
  );
  await openApp('/admin/refund-order');
  expect((await rowOf(100234)).getByText('Due')).toHaveAttribute('data-tone', 'warn');
  const done = (await rowOf(100235)).getByText('20-11-2026');
  expect(done.closest('[data-tone]')).toBeNull();
  expect(done).toHaveAttribute('title', '20-11-2026 01:30:00 WIB');
  const actions = within(screen.getByRole('table'));
  expect(actions.getAllByRole('link', { name: /View/ })).toHaveLength(2);
  // The title sorts.
  expect(actions.getAllByRole('button').map((button) => button.textContent)).toEqual([
    'Date & Time',
  ]);
});

test("Refunded it is for everyone, asks first, shows the server's message and reloads the list", async () => {
  signedInAs(member({}));
  const allowed = allowedInList({ delete: false, refund: true });
  let rows = [{ ...due(100234), allowed }];
  let asked = 0;
  server.use(
    get('/api/admin/get-orders-list/refundOrder', () => {
      asked += 1;
      return success({ data: rows, total: 1, more: false, page: 1, limit: 10 });
    }),
  );
  const sent = takeRefunds(() => {
    rows = [{ ...due(100234), refund_date: '2026-11-20T03:00:00Z' }];
    return success({}, '1 refunded, 0 already refunded');
  });
  const user = await openApp('/admin/refund-order');
  await user.click((await rowOf(100234)).getByRole('checkbox'));
  expect(screen.queryByRole('button', { name: 'Delete Order' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Refunded it' }));
  expect(within(screen.getByRole('dialog')).getByText(QUESTION)).toBeVisible();
  expect(sent).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Yes, mark as refunded' }));
  expect(await screen.findByText('1 refunded, 0 already refunded')).toBeVisible();
  expect(sent).toEqual([[100234]]);
  await waitFor(() => expect(asked).toBe(2));
  expect(await screen.findByText('20-11-2026')).toBeVisible();
  // The money is gone: there is nothing to undo.
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
});

test('an order that cannot be refunded is named, and can be left out', async () => {
  signedInAs(member());
  server.use(listOf('refundOrder', [due(100234), due(100235)]));
  const why =
    'Nothing was changed: order 100234 has an open chargeback, and a refund would pay the customer twice. Move it out of ChargeBack first';
  const sent = takeRefunds((ids) =>
    ids.includes(100234)
      ? refusal(409, why, 'refund_of_disputed_order', { order_id: 100234 })
      : success({}, '1 refunded, 0 already refunded'),
  );
  const user = await openApp('/admin/refund-order');
  await rowOf(100234);
  await user.click(screen.getByRole('checkbox', { name: 'Select all' }));
  await user.click(screen.getByRole('button', { name: 'Refunded it' }));
  await user.click(screen.getByRole('button', { name: 'Yes, mark as refunded' }));
  expect(await screen.findByText(why)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Leave it out and try again' }));
  expect(await screen.findByText('1 refunded, 0 already refunded')).toBeVisible();
  expect(sent).toEqual([[100234, 100235], [100235]]);
});

test('more than 500 orders go in batches, and the toast adds up the results', async () => {
  signedInAs(member());
  const rows = Array.from({ length: 700 }, (_, index) => due(100000 + index));
  server.use(
    get('/api/admin/get-orders-list/refundOrder', ({ request }) => {
      const page = Number(new URL(request.url).searchParams.get('page'));
      const data = rows.slice((page - 1) * 500, page * 500);
      return success({ data, total: rows.length, more: false, page, limit: 500 });
    }),
  );
  const sent = takeRefunds((ids) =>
    success({ refunded: ids.length - 1, already_refunded: 1 }, 'The counts are what is added up'),
  );
  const user = await openApp('/admin/refund-order?limit=All');
  await waitFor(() => expect(screen.getByText('Showing 1 to 700 of 700')).toBeVisible());
  await user.click(screen.getByRole('checkbox', { name: 'Select all' }));
  await user.click(screen.getByRole('button', { name: 'Refunded it' }));
  await user.click(screen.getByRole('button', { name: 'Yes, mark as refunded' }));
  expect(await screen.findByText('698 refunded, 2 already refunded')).toBeVisible();
  expect(sent.map((ids) => ids.length)).toEqual([350, 350]);
});

/** Serves stops and sends of emails. Returns the calls. */
function takeMailCalls(): [call: string, ids: number[]][] {
  const sent: [string, number[]][] = [];
  for (const [call, message] of [
    ['stop-refund-mails', '11 emails stopped'],
    ['send-refund-mails', '11 emails are on the way'],
  ] as const) {
    server.use(
      put(`/api/admin/${call}`, async ({ request }) => {
        const { orderId } = (await request.json()) as { orderId: number[] };
        sent.push([call, orderId]);
        return success({ changed: 11, unchanged: 0 }, message);
      }),
    );
  }
  return sent;
}

test('the toast of a large refund stops its emails, and then sends them after all', async () => {
  signedInAs(member());
  const ids = Array.from({ length: 11 }, (_, index) => 100234 + index);
  server.use(listOf('refundOrder', ids.map(due)));
  takeRefunds(() =>
    success(
      { refunded: 11, already_refunded: 0, mails_leave_at: '2026-11-20T03:10:00Z' },
      '11 refunded, 0 already refunded',
    ),
  );
  const sent = takeMailCalls();
  const user = await openApp('/admin/refund-order');
  await rowOf(100234);
  await user.click(screen.getByRole('checkbox', { name: 'Select all' }));
  await user.click(screen.getByRole('button', { name: 'Refunded it' }));
  await user.click(screen.getByRole('button', { name: 'Yes, mark as refunded' }));
  await user.click(await screen.findByRole('button', { name: 'Stop the emails' }));
  expect(await screen.findByText('11 emails stopped')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Send anyway' }));
  expect(await screen.findByText('11 emails are on the way')).toBeVisible();
  expect(sent).toEqual([
    ['stop-refund-mails', ids],
    ['send-refund-mails', ids],
  ]);
});

test('Refunds says how many emails wait until when, and stops them', async () => {
  signedInAs(member());
  let waiting: { order_ids: number[]; leave_at: string | null } = {
    order_ids: [100234, 100235],
    leave_at: '2026-11-20T03:10:00Z',
  };
  server.use(
    listOf('refundOrder', [due(100234), due(100235)]),
    get('/api/admin/waiting-refund-mails', () => success({ data: waiting })),
  );
  const sent = takeMailCalls();
  const user = await openApp('/admin/refund-order');
  const notice = await screen.findByRole('region', { name: 'Waiting refund emails' });
  expect(notice).toHaveTextContent('2 refund emails are sent from 20-11-2026 10:10:00 WIB');
  waiting = { order_ids: [], leave_at: null };
  await user.click(within(notice).getByRole('button', { name: 'Stop' }));
  await waitFor(() => expect(notice).not.toBeInTheDocument());
  expect(sent).toEqual([['stop-refund-mails', [100234, 100235]]]);
});

test('a refund that a colleague has begun asks first, and is told to colleagues while it is asked about', async () => {
  signedInAs(member());
  const { begin, told } = colleagueAt(100234, 'refunding');
  server.use(listOf('refundOrder', [due(100234)]));
  const sent = takeRefunds(() => success({ message: '1 refunded', refunded: 1 }));
  const user = await openApp('/admin/refund-order');
  await user.click((await rowOf(100234)).getByRole('checkbox'));
  begin();
  const start = () => user.click(screen.getByRole('button', { name: 'Refunded it' }));
  await start();
  const beside = 'Sari Dewi is marking as refunded order 100234';
  const question = within(await screen.findByRole('dialog', { name: beside }));
  await user.click(question.getByRole('button', { name: 'Cancel' }));
  expect(sent).toEqual([]);
  await start();
  await user.click(await screen.findByRole('button', { name: 'Continue anyway' }));
  expect(await screen.findByText(QUESTION)).toBeVisible();
  await waitFor(() => expect(told).toEqual(['refunding']));
  await user.click(screen.getByRole('button', { name: /^Yes/ }));
  await waitFor(() => expect(sent).toEqual([[100234]]));
  await waitFor(() => expect(told).toEqual(['refunding', null]));
});
