import { screen, waitFor } from '@testing-library/react';
import { delay } from 'msw';
import { expect, test } from 'vitest';
import { allFolders } from '@/features/order/folders';
import { allowedInList } from '@/testing/allowed';
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
  takePuts,
  takeUndos,
  undoOf,
} from '@/testing/server';

const ASSIGN = '/api/admin/assign-order-status';

test('a list shows its rows with the columns of its folder', async () => {
  await openNewOrders([orderNumber(100234, { assign_to: 'Budi' }), orderNumber(100235)]);
  const cells = await rowOf(100234);
  expect(cells.getByText('Applicant 100234')).toBeVisible();
  expect(cells.getByText(/20-11-2026 09:41:07/)).toBeVisible();
  expect(cells.getByRole('link', { name: /View/ })).toHaveAttribute('data-kind', 'quiet');
  const free = (await rowOf(100235)).getByRole('link', { name: /View/ });
  expect(free).not.toHaveAttribute('data-kind');
  const headers = screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
  expect(headers.join(' ').trim()).toBe('Order Id Name Email Telephone Date & Time Status Action');
});

test('Delete is offered for the rows that allow it, and for a selection of only such rows', async () => {
  const closed = { allowed: allowedInList({ delete: false }) };
  const user = await openNewOrders([orderNumber(100234), orderNumber(100235, closed)]);
  expect((await rowOf(100234)).getByRole('button', { name: 'Delete 100234' })).toBeVisible();
  expect((await rowOf(100235)).queryByRole('button')).toBeNull();
  await user.click((await rowOf(100234)).getByRole('checkbox'));
  expect(screen.getByRole('button', { name: 'Delete Order' })).toBeVisible();
  await user.click((await rowOf(100235)).getByRole('checkbox'));
  expect(screen.queryByRole('button', { name: 'Delete Order' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Assign to me' })).toBeVisible();
});

test('the key A assigns no order that cannot be assigned', async () => {
  const taken = { allowed: allowedInList({ assign_to_me: false }) };
  const user = await openNewOrders([orderNumber(100234), orderNumber(100235, taken)]);
  await user.click((await rowOf(100235)).getByRole('checkbox'));
  await user.keyboard('a');
  expect(screen.queryByRole('dialog')).toBeNull();
  await user.click((await rowOf(100235)).getByRole('checkbox'));
  await user.click((await rowOf(100234)).getByRole('checkbox'));
  await user.keyboard('a');
  expect(screen.getByRole('dialog')).toBeVisible();
});

test('an empty list says so, in the table and below it', async () => {
  await openNewOrders([]);
  expect(await screen.findByText('No records found')).toBeVisible();
  expect(screen.getByText('No data available in table')).toBeVisible();
});

test('a slow list shows ten waiting rows', async () => {
  signedInAs(member());
  server.use(get(LIST, () => delay('infinite')));
  await openApp('/admin/recent-order');
  await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(11));
});

test('leaving a list clears its rows and its selection at once', async () => {
  signedInAs(member());
  const lists = allFolders.filter(({ orderName }) => orderName !== 'futureOrder');
  const idIn = (name: unknown) => 100234 + lists.findIndex(({ orderName }) => orderName === name);
  const held: (() => void)[] = [];
  let answered = Promise.resolve();
  const holdAnswers = () => (answered = new Promise((done) => held.push(done)));
  server.use(
    get(LIST, async ({ params }) => {
      await answered;
      const rows = [orderNumber(idIn(params['orderName']))];
      return success({ data: rows, total: 1, more: false, page: 1, limit: 10 });
    }),
  );
  holdAnswers();
  const user = await openApp(lists[0]!.path);
  for (const [number, { title, linkLabel = title, orderName }] of lists.entries()) {
    if (number > 0) {
      holdAnswers();
      await user.click(screen.getByRole('link', { name: new RegExp(`^${linkLabel} `) }));
    }
    expect(await screen.findByRole('heading', { name: title, level: 1 })).toBeVisible();
    expect(screen.queryByRole('row', { name: /1002\d\d/ })).toBeNull();
    expect(screen.queryByText(/selected/)).toBeNull();
    held.pop()!();
    const box = (await rowOf(idIn(orderName))).queryByRole('checkbox');
    if (box !== null) await user.click(box);
  }
});

test('a list that fails to load can be retried', async () => {
  signedInAs(member());
  server.use(listOf('newOrder', [orderNumber(100234)]));
  server.use(get(LIST, () => refusal(500, 'Incident 4f2a'), { once: true }));
  const user = await openApp('/admin/recent-order');
  expect(await screen.findByText('Incident 4f2a')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect((await rowOf(100234)).getByText('New')).toBeVisible();
});

test('search waits for a pause, then starts at page one of the folder', async () => {
  signedInAs(member());
  server.use(listOf('newOrder', [orderNumber(100234)], 90));
  const asked: unknown[] = [];
  server.use(
    post('/api/admin/search-order', async ({ request }) => {
      asked.push(await request.json());
      return success({ data: [orderNumber(100777)], total: 1, more: false, page: 1, limit: 10 });
    }),
  );
  const user = await openApp('/admin/recent-order?page=3');
  await rowOf(100234);
  await user.type(screen.getByRole('searchbox'), 'emily');
  expect((await rowOf(100777)).getByText('New')).toBeVisible();
  expect(asked).toEqual([{ start: 0, end: 10, searchVal: 'emily', folderName: 'newOrder' }]);
  expect(place()).toBe('/admin/recent-order?q=emily');
});

test('assigning asks first, sends the selected ids, and can be undone', async () => {
  const sent = takePuts(ASSIGN, () =>
    success(undoOf(4711), 'Order has been assigned successfully'),
  );
  const undone = takeUndos();
  const user = await openNewOrders([orderNumber(100234), orderNumber(100235)]);
  await user.click((await rowOf(100235)).getByRole('checkbox'));
  expect(screen.getByText('1 selected')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Assign to me' }));
  expect(screen.getByText('Are you sure want to assigned orders.')).toBeVisible();
  expect(sent).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Yes, assign' }));
  expect(await screen.findByText('Order has been assigned successfully')).toBeVisible();
  expect(screen.queryByText(/selected/)).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(undone).toEqual([4711]));
  expect(sent).toEqual([{ orderId: [100235], assignto: 'Ayu Lestari' }]);
});

test('a refused bulk call names the order and continues without it', async () => {
  const taken = 'Nothing was changed: 100234 is already assigned to Ann';
  takePuts<{ orderId: number[] }>(ASSIGN, ({ orderId }) =>
    orderId.includes(100234)
      ? refusal(409, taken, 'order_already_assigned', { order_id: 100234 })
      : success({}, `Assigned ${orderId.join()}`),
  );
  const user = await openNewOrders([orderNumber(100234), orderNumber(100235)]);
  await rowOf(100234);
  await user.click(screen.getByRole('checkbox', { name: 'Select all' }));
  await user.click(screen.getByRole('button', { name: 'Assign to me' }));
  await user.click(screen.getByRole('button', { name: 'Yes, assign' }));
  expect(await screen.findByText(taken)).toBeVisible();
  expect(screen.getByText('2 selected')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Leave it out and try again' }));
  expect(await screen.findByText('Assigned 100235')).toBeVisible();
  expect(screen.queryByText(/selected/)).toBeNull();
});

test('Cancel closes the question, and nothing is sent', async () => {
  signedInAs(member());
  const sent: string[] = [];
  server.use(
    listOf('pendingOrder', [orderNumber(100234)]),
    put('/api/admin/change-order-status', ({ request }) => {
      sent.push(request.url);
      return success({ changed: 1 }, 'Order has been deleted successfully');
    }),
  );
  const user = await openApp('/admin/pending-order');
  await user.click((await rowOf(100234)).getByRole('button', { name: 'Delete 100234' }));
  expect(screen.getByText('Are you sure you want to delete?')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect((await rowOf(100234)).getByText('New')).toBeVisible();
  expect(sent).toEqual([]);
});

test('a refused deletion shows the reason, and the order stays', async () => {
  signedInAs(member());
  const why = 'Nothing was changed: order 100234 does not exist';
  const sent: unknown[] = [];
  server.use(
    listOf('pendingOrder', [orderNumber(100234)]),
    put('/api/admin/change-order-status', async ({ request }) => {
      sent.push(await request.json());
      return refusal(404, why);
    }),
  );
  const user = await openApp('/admin/pending-order');
  await user.click((await rowOf(100234)).getByRole('button', { name: 'Delete 100234' }));
  await user.click(screen.getByRole('button', { name: 'Yes, delete' }));
  expect(await screen.findByRole('alert')).toHaveTextContent(why);
  const change = { orderId: [100234], updatingStatus: 'Deleted', permanentDeletedFlag: false };
  expect(sent).toEqual([{ ...change, folderName: 'pendingOrder' }]);
  expect((await rowOf(100234)).getByText('New')).toBeVisible();
});

test('All asks for pages of 500 and counts every row', async () => {
  signedInAs(member());
  const pages: (string | null)[] = [];
  server.use(
    get(LIST, ({ request }) => {
      const search = new URL(request.url).searchParams;
      pages.push(`${search.get('page')}/${search.get('limit')}`);
      const page = Number(search.get('page'));
      const rows = Array.from({ length: page < 3 ? 500 : 200 }, (_, index) =>
        orderNumber(200000 - page * 500 - index),
      );
      return success({ data: rows, total: 1200, more: false, page, limit: 500 });
    }),
  );
  await openApp('/admin/order-history?limit=All');
  // The first page has the total. The others are requested together and may arrive in any order.
  await waitFor(() => expect(pages.toSorted()).toEqual(['1/500', '2/500', '3/500']));
  expect(pages[0]).toBe('1/500');
  expect(screen.getByRole('table')).toHaveAttribute('aria-rowcount', '1201');
});

test('All keeps showing the previous page until its rows are loaded', async () => {
  signedInAs(member());
  const arrival = new EventTarget();
  const arrived = new Promise((resolve) => arrival.addEventListener('all', resolve));
  server.use(
    get(LIST, async ({ request }) => {
      const search = new URL(request.url).searchParams;
      const [page, limit] = [Number(search.get('page')), Number(search.get('limit'))];
      if (limit === 500) await arrived;
      const rows = Array.from({ length: Math.min(limit, 300) }, (_, index) =>
        orderNumber(9000 - index),
      );
      return success({ data: rows, total: 300, more: false, page, limit });
    }),
  );
  const user = await openApp('/admin/order-history?page=3');
  await user.selectOptions(await screen.findByLabelText('Rows per page'), 'All');
  await waitFor(() =>
    expect(screen.getByRole('table').closest('[aria-busy]')).toHaveAttribute('aria-busy', 'true'),
  );
  expect(screen.getAllByRole('row')).toHaveLength(11);
  expect(screen.getByRole('table')).not.toHaveAttribute('aria-rowcount');
  arrival.dispatchEvent(new Event('all'));
  await waitFor(() => expect(screen.getByRole('table')).toHaveAttribute('aria-rowcount', '301'));
});
