import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Duplicate } from '@/api/types';
import { paths } from '@/paths/staffPaths';
import { openApp, place } from '@/testing/openApp';
import { answerDetails, detailsOf } from '@/testing/orderDetails';
import {
  get,
  home,
  listOf,
  member,
  orderNumber,
  server,
  signedInAs,
  success,
} from '@/testing/server';

const tenFrom = (first: number) => Array.from({ length: 10 }, (_, index) => first - index);
const scroller = () => screen.getByRole('table').parentElement!;

/** Serves a list of three orders, an audit that names one of them, and its details. */
function serveOffice() {
  signedInAs(member());
  server.use(
    listOf(
      'newOrder',
      [100236, 100235, 100234].map((id) => orderNumber(id)),
    ),
    get('/api/admin/get-audit-list', () => {
      const at = '2026-11-20T02:41:07Z';
      const entry = { id: 1, at, actor: 'Ayu Lestari', action: 'order.pay', ip: '203.0.113.24' };
      const order = { order_id: 100234, order_number: 'VD-100234', before: null, after: null };
      return success({ data: [{ ...entry, ...order }], next: null });
    }),
  );
  answerDetails((orderId) => detailsOf(orderId));
}

test('from the audit an order leads back to the audit, not to the last list', async () => {
  serveOffice();
  const user = await openApp('/admin/recent-order?page=1');
  await screen.findByRole('row', { name: /100234/ });
  await user.click(screen.getByRole('link', { name: 'Audit' }));
  await screen.findByRole('heading', { name: 'Audit' });
  await user.click(await screen.findByRole('link', { name: '100234' }));
  await screen.findByRole('heading', { name: 'Order 100234' });
  expect(screen.queryByText('3 of 3')).toBeNull();
  expect(screen.queryByRole('link', { name: 'Back to list' })).toBeNull();
  await user.click(screen.getByRole('link', { name: 'Back to audit' }));
  expect(place()).toBe('/admin/audit');
});

test('the keys [ and ] step through the list, and Back returns to its place', async () => {
  serveOffice();
  const user = await openApp('/admin/recent-order?limit=25');
  await screen.findByRole('row', { name: /100234/ });
  scroller().scrollTop = 300;
  fireEvent.scroll(scroller());
  await user.click(screen.getByRole('link', { name: 'View 100235' }));
  expect(await screen.findByText('100235@applications.example')).toBeVisible();
  await screen.findByText('2 of 3');
  await user.keyboard(']');
  await screen.findByText('3 of 3');
  await user.keyboard(']');
  expect(place()).toBe(paths.viewOrder(100234));
  expect(await screen.findByText('100234@applications.example')).toBeVisible();
  await user.keyboard('[[');
  await screen.findByText('2 of 3');
  await user.click(screen.getByRole('link', { name: 'Back to list' }));
  await screen.findByRole('row', { name: /100234/ });
  expect(place()).toBe('/admin/recent-order?limit=25');
  await waitFor(() => expect(scroller().scrollTop).toBe(300));
});

test('] goes on to the next page of the list, [ comes back, and Back leads to the page of the order', async () => {
  signedInAs(member());
  const pages = [
    [100240, 100239, 100238, 100237, 100236, 100235, 100234, 100233, 100232, 100231],
    [100230, 100229],
  ];
  const asked: number[] = [];
  server.use(
    get('/api/admin/get-orders-list/:orderName', ({ request }) => {
      const page = Number(new URL(request.url).searchParams.get('page'));
      asked.push(page);
      const data = (pages[page - 1] ?? []).map((id) => orderNumber(id));
      return success({ data, total: 12, more: false, page, limit: 10 });
    }),
  );
  const opened: number[] = [];
  answerDetails((orderId) => {
    opened.push(orderId);
    return detailsOf(orderId);
  });
  const user = await openApp('/admin/recent-order');
  await user.click(await screen.findByRole('link', { name: 'View 100231' }));
  await screen.findByText('10 of 12');
  await screen.findByRole('link', { name: 'Next order, 100230' });
  await user.keyboard(']');
  expect(await screen.findByRole('heading', { name: 'Order 100230' })).toBeVisible();
  expect(await screen.findByText('11 of 12')).toBeVisible();
  // The order ahead is fetched, once.
  await waitFor(() => expect(opened).toEqual([100231, 100230, 100229]));
  await user.keyboard(']');
  expect(await screen.findByText('12 of 12')).toBeVisible();
  expect(screen.queryByRole('link', { name: /^Next order/ })).toBeNull();
  // The first page again at its edge, and no page after the last order.
  expect(asked).toEqual([1, 1, 2]);
  await user.keyboard('[[');
  await screen.findByText('11 of 12');
  await screen.findByRole('link', { name: 'Previous order, 100231' });
  await user.keyboard('[[');
  expect(await screen.findByText('10 of 12')).toBeVisible();
  await user.keyboard(']');
  await screen.findByText('11 of 12');
  await user.click(screen.getByRole('link', { name: 'Back to list' }));
  await screen.findByRole('row', { name: /100230/ });
  expect(place()).toBe('/admin/recent-order?page=2');
});

test('at the edge of a page an order that moved is passed over, and nothing is before the first page', async () => {
  signedInAs(member());
  const pages = [
    [100240, 100239, 100238, 100237, 100236, 100235, 100234, 100233, 100232, 100231],
    // The last order of the first page has moved here meanwhile.
    [100231, 100230],
  ];
  const asked: number[] = [];
  server.use(
    get('/api/admin/get-orders-list/:orderName', ({ request }) => {
      const page = Number(new URL(request.url).searchParams.get('page'));
      asked.push(page);
      const data = (pages[page - 1] ?? []).map((id) => orderNumber(id));
      const known = page === 1 ? { total: 10, more: true } : { total: 12, more: false };
      return success({ data, ...known, page, limit: 10 });
    }),
  );
  const opened: number[] = [];
  answerDetails((orderId) => {
    opened.push(orderId);
    return detailsOf(orderId);
  });
  const user = await openApp('/admin/recent-order');
  await user.click(await screen.findByRole('link', { name: 'View 100240' }));
  await screen.findByText('1 of 10+');
  expect(screen.queryByRole('link', { name: /^Previous order/ })).toBeNull();
  // The pointer on the link is the sign that it will be opened.
  await user.hover(screen.getByRole('link', { name: 'Next order, 100239' }));
  await waitFor(() => expect(opened).toEqual([100240, 100239]));
  await user.click(screen.getByRole('link', { name: 'Back to list' }));
  await user.click(await screen.findByRole('link', { name: 'View 100231' }));
  await screen.findByText('10 of 10+');
  await user.hover(await screen.findByRole('link', { name: 'Next order, 100230' }));
  await waitFor(() => expect(opened).toEqual([100240, 100239, 100231, 100230]));
  await user.keyboard(']');
  // The order that moved still has a place before it, and nothing follows.
  await screen.findByText('12 of 12');
  await screen.findByRole('link', { name: 'Previous order, 100231' });
  expect(screen.queryByRole('link', { name: /^Next order/ })).toBeNull();
  await user.keyboard('[[');
  await screen.findByText('11 of 12');
  await screen.findByRole('link', { name: 'Previous order, 100232' });
  await user.keyboard('[[');
  await screen.findByText('9 of 10+');
  // One who steps back is likely to go on.
  await waitFor(() => expect(opened).toContain(100233));
  await user.click(screen.getByRole('link', { name: 'Back to list' }));
  await screen.findByRole('row', { name: /100231/ });
  expect(place()).toBe('/admin/recent-order');
  expect(asked.filter((page) => page !== 1)).toEqual([2]);
});

test('] passes no order that was pulled up to the same page by those that left the list', async () => {
  signedInAs(member());
  let pages = [tenFrom(100240), tenFrom(100230), tenFrom(100220)];
  server.use(
    get('/api/admin/get-orders-list/:orderName', ({ request }) => {
      const page = Number(new URL(request.url).searchParams.get('page'));
      const data = (pages[page - 1] ?? []).map((id) => orderNumber(id));
      return success({ data, total: 40, more: false, page, limit: 10 });
    }),
  );
  answerDetails((orderId) => detailsOf(orderId));
  const user = await openApp('/admin/recent-order');
  await user.click(await screen.findByRole('link', { name: 'View 100232' }));
  await screen.findByText('9 of 40');
  // Of the first page six orders left; a new one came.
  pages = [[100241, 100234, ...tenFrom(100233).slice(0, 8)], tenFrom(100225), tenFrom(100215)];
  await user.keyboard(']');
  await screen.findByText('10 of 40');
  await screen.findByRole('link', { name: 'Next order, 100230' });
  await user.keyboard(']');
  await screen.findByText('6 of 40');
  await screen.findByRole('link', { name: 'Next order, 100229' });
  await user.click(screen.getByRole('link', { name: 'Back to list' }));
  await screen.findByRole('row', { name: /100230/ });
  expect(place()).toBe('/admin/recent-order');
});

test('from a similar order, Back leads to the list, and the keys step on beside the order it was opened from', async () => {
  serveOffice();
  const similar: Duplicate = {
    order_id: 188420,
    order_number: 'VD-188420',
    process_status: 'Completed',
    created_at: '2026-03-01T18:00:00Z',
    same: ['passport'],
  };
  server.use(
    get('/api/admin/order-duplicates/:orderId', () =>
      success({ data: { orders: [similar], more: false } }),
    ),
  );
  const user = await openApp('/admin/recent-order?limit=25');
  await user.click(await screen.findByRole('link', { name: 'View 100235' }));
  const notice = within(await screen.findByRole('region', { name: 'Similar orders' }));
  await user.click(notice.getByRole('link', { name: '188420' }));
  await screen.findByRole('heading', { name: 'Order 188420' });
  expect(screen.getByRole('link', { name: 'Back to list' })).toHaveAttribute(
    'href',
    '/admin/recent-order?limit=25',
  );
  await user.keyboard(']');
  await screen.findByRole('heading', { name: 'Order 100234' });
  await screen.findByText('3 of 3');
  await user.keyboard('[[');
  await screen.findByRole('heading', { name: 'Order 100235' });
});

test('the orders of a group on the dashboard are stepped through, and Back leads to the dashboard', async () => {
  signedInAs(member());
  const data = home();
  Object.assign(data.groups[0]!, {
    total: 2,
    orders: [100236, 100235].map((id) => ({
      order_id: id,
      order_number: `VD-${id}`,
      full_name: 'Emily',
      process_status: 'New',
      assign_to: null,
      reason: 'Waiting 2 h',
      is_urgent: true,
    })),
  });
  server.use(get('/api/admin/home', () => success({ data })));
  answerDetails((orderId) => detailsOf(orderId));
  const user = await openApp('/admin');
  await user.click(await screen.findByRole('link', { name: /100236/ }));
  await screen.findByText('1 of 2');
  await user.keyboard(']');
  await screen.findByRole('heading', { name: 'Order 100235' });
  const list = within(screen.getByRole('navigation', { name: 'List' }));
  await user.click(list.getByRole('link', { name: 'Dashboard' }));
  expect(place()).toBe('/admin');
});

test('Back shows the list as it was left, with what was changed, while it is loaded again', async () => {
  signedInAs(member());
  let asked = 0;
  const answered = new AbortController();
  server.use(
    get('/api/admin/get-orders-list/:orderName', async () => {
      asked += 1;
      if (asked === 2) await new Promise((done) => answered.signal.addEventListener('abort', done));
      const data = asked === 1 ? [orderNumber(100235), orderNumber(100234)] : [orderNumber(100235)];
      return success({ data, total: data.length, more: false, page: 1, limit: 10 });
    }),
  );
  answerDetails((id) =>
    detailsOf(id, { process_status: 'Customer Called', updated_at: '2026-11-21T00:00:00Z' }),
  );
  const user = await openApp(paths.recentOrder);
  await user.click(await screen.findByRole('link', { name: 'View 100234' }));
  await screen.findByRole('heading', { name: 'Order 100234' });
  await user.click(screen.getByRole('link', { name: 'Back to list' }));
  const row = await screen.findByRole('row', { name: /100234/ });
  expect(row).toHaveTextContent('Customer Called');
  expect(asked).toBe(2);
  answered.abort();
  await waitFor(() => expect(screen.queryByRole('row', { name: /100234/ })).toBeNull());
});

test('a link to a list begins with a cleared one', async () => {
  signedInAs(member());
  let asked = 0;
  server.use(
    get('/api/admin/get-orders-list/:orderName', async ({ params }) => {
      if (params['orderName'] === 'newOrder') asked += 1;
      if (asked === 2) await new Promise(() => {});
      const data = params['orderName'] === 'newOrder' ? [orderNumber(100234)] : [];
      return success({ data, total: data.length, more: false, page: 1, limit: 10 });
    }),
  );
  const user = await openApp(paths.recentOrder);
  await screen.findByRole('row', { name: /100234/ });
  await user.click(screen.getByRole('link', { name: /^Refunds/ }));
  await screen.findByText('No records found');
  await user.click(screen.getByRole('link', { name: /^New Orders/ }));
  await screen.findByRole('heading', { name: 'New Orders' });
  await waitFor(() => expect(asked).toBe(2));
  expect(screen.queryByRole('row', { name: /100234/ })).toBeNull();
});
