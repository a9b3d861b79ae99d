/** Lists and orders by keyboard. */

import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { OrderSummary } from '@/api/types';
import { paths } from '@/paths/staffPaths';
import { useOrderTrail } from '@/features/order/orderTrail';
import { allowedInList } from '@/testing/allowed';
import { go, openApp, place } from '@/testing/openApp';
import { LIST, openNewOrders, rowOf } from '@/testing/openList';
import { openOrder } from '@/testing/openOrder';
import { answerDetails, detailsOf } from '@/testing/orderDetails';
import {
  get,
  listOf,
  member,
  orderNumber,
  post,
  put,
  server,
  signedInAs,
  success,
  takePuts,
} from '@/testing/server';

const ASSIGN = '/api/admin/assign-order-status';
const row = (id: number) => screen.findByRole('row', { name: new RegExp(`${id}`) });
const searchBox = () => screen.getByRole('searchbox');

/** Opens New Orders with `ids`, of which assigned ones leave the list. Returns the bodies of the assignments. */
async function openShrinking(ids: number[]) {
  signedInAs(member());
  let left = ids;
  server.use(
    get(LIST, () => {
      const data = left.map((id) => orderNumber(id));
      return success({ data, total: data.length, more: false, page: 1, limit: 10 });
    }),
  );
  const sent = takePuts<{ orderId: number[] }>(ASSIGN, ({ orderId }) => {
    left = left.filter((id) => !orderId.includes(id));
    return success({ changed: orderId.length }, 'Order has been assigned successfully');
  });
  const user = await openApp(paths.recentOrder);
  await row(ids[0]!);
  return { user, sent };
}

test('after a row leaves, the next one has the focus, and j goes on from there', async () => {
  const { user, sent } = await openShrinking([100240, 100239, 100238, 100237]);
  await user.keyboard('jj');
  expect(await row(100239)).toHaveFocus();
  await user.keyboard('a');
  await user.click(screen.getByRole('button', { name: 'Yes, assign' }));
  await waitFor(async () => expect(await row(100238)).toHaveFocus());
  expect(sent).toMatchObject([{ orderId: [100239] }]);
  await user.keyboard('j');
  expect(await row(100237)).toHaveFocus();
});

test('of several rows that leave, the focus goes to the next one that is left', async () => {
  const { user } = await openShrinking([100240, 100239, 100238, 100237]);
  await user.keyboard('jxjjx');
  expect(screen.getByText('2 selected')).toBeVisible();
  await user.keyboard('a');
  expect(screen.getByRole('dialog', { name: 'Assign 2 orders to me' })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Yes, assign' }));
  await waitFor(async () => expect(await row(100237)).toHaveFocus());
});

test('a assigns the order of the focused row if none is ticked, and no order twice at once', async () => {
  const user = await openNewOrders([
    orderNumber(100234),
    orderNumber(100235, { allowed: allowedInList({ assign_to_me: false }) }),
  ]);
  await row(100234);
  await user.keyboard('a');
  expect(screen.queryByRole('dialog')).toBeNull();
  await user.keyboard('jja');
  expect(await row(100235)).toHaveFocus();
  expect(screen.queryByRole('dialog')).toBeNull();
  let respond: (() => void) | undefined;
  const responded = new Promise<void>((resolve) => {
    respond = resolve;
  });
  server.use(
    put(ASSIGN, async () => {
      await responded;
      return success({ changed: 1 });
    }),
  );
  await user.keyboard('ka');
  expect(screen.getByRole('dialog', { name: 'Assign order 100234 to me' })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Yes, assign' }));
  await user.keyboard('a');
  expect(screen.queryByRole('dialog')).toBeNull();
  respond?.();
  await waitFor(async () => {
    await user.keyboard('a');
    expect(screen.getByRole('dialog')).toBeVisible();
  });
});

test('Escape leaves the search and keeps it; Enter and the arrow go to the first row of its result', async () => {
  const user = await openNewOrders([orderNumber(100234), orderNumber(100235)]);
  await row(100234);
  server.use(
    post('/api/admin/search-order', () =>
      success({ data: [orderNumber(100235)], total: 1, more: false, page: 1, limit: 10 }),
    ),
  );
  await user.keyboard('/emi{Enter}');
  await waitFor(async () => expect(await row(100235)).toHaveFocus());
  expect(screen.queryByRole('row', { name: /100234/ })).toBeNull();
  await user.keyboard('/{Escape}');
  expect(searchBox()).not.toHaveFocus();
  expect(searchBox()).toHaveValue('emi');
  expect(place()).toBe(`${paths.recentOrder}?q=emi`);
  await user.keyboard('/{ArrowDown}');
  expect(await row(100235)).toHaveFocus();
});

test('Forward does not bring a removed search back', async () => {
  signedInAs(member());
  const rows = [orderNumber(100234)];
  server.use(
    listOf('newOrder', rows),
    post('/api/admin/search-order', () =>
      success({ data: rows, total: 1, more: false, page: 1, limit: 10 }),
    ),
  );
  const user = await openApp(paths.recentOrder);
  await row(100234);
  await user.type(searchBox(), 'a');
  await waitFor(() => expect(place()).toBe(`${paths.recentOrder}?q=a`));
  await user.selectOptions(await screen.findByLabelText('Rows per page'), '25');
  await waitFor(() => expect(place()).toBe(`${paths.recentOrder}?q=a&limit=25`));
  await user.clear(searchBox());
  await waitFor(() => expect(place()).toBe(`${paths.recentOrder}?limit=25`));
  await go(-1);
  await waitFor(() => expect(searchBox()).toHaveValue('a'));
  await go(1);
  expect(searchBox()).toHaveValue('');
  // Longer than a pause in typing.
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(place()).toBe(`${paths.recentOrder}?limit=25`);
});

test('the number and the name of a row lead to its order', async () => {
  const user = await openNewOrders([orderNumber(100234)]);
  answerDetails((orderId) => detailsOf(orderId));
  const href = paths.viewOrder(100234);
  expect((await rowOf(100234)).getByRole('link', { name: '100234' })).toHaveAttribute('href', href);
  const name = (await rowOf(100234)).getByRole('link', { name: 'Applicant 100234' });
  expect(name).toHaveAttribute('href', href);
  await user.click(name);
  await waitFor(() => expect(place()).toBe(href));
});

/** Serves a list of 6,000 orders, of which the first 5,000 are loaded ahead. */
function serveLongList() {
  signedInAs(member());
  server.use(
    get(LIST, ({ request }) => {
      const page = Number(new URL(request.url).searchParams.get('page'));
      const data = Array.from({ length: 500 }, (_, index): OrderSummary =>
        orderNumber(900_000 - page * 500 - index),
      );
      return success({ data, total: 6000, more: false, page, limit: 500 });
    }),
  );
}

test('Select all says that it reaches the loaded orders of a long list', async () => {
  serveLongList();
  const user = await openApp('/admin/order-history?limit=All');
  await screen.findByText(/^6,000 orders/);
  await screen.findByText('Showing 1 to 5,000 of 6,000');
  const all = screen.getByRole('checkbox', { name: 'Select all' });
  await user.click(all);
  expect(screen.getByText('5,000 loaded orders of 6,000 selected')).toBeVisible();
  expect(all).not.toBeChecked();
  expect(all).toBePartiallyChecked();
});

test('the count of the selection names the page where there are several, in a status that was there before', async () => {
  signedInAs(member());
  server.use(listOf('newOrder', [orderNumber(100234)], 90));
  const user = await openApp(paths.recentOrder);
  const box = (await rowOf(100234)).getByRole('checkbox');
  const before = screen.getAllByRole('status');
  await user.click(box);
  expect(before).toContain(screen.getByText('1 on this page selected'));
});

test('the rows of a page that is still loading are not those of the next address', async () => {
  signedInAs(member());
  let respond: (() => void) | undefined;
  const responded = new Promise<void>((resolve) => {
    respond = resolve;
  });
  server.use(
    get(LIST, async ({ request }) => {
      const page = Number(new URL(request.url).searchParams.get('page'));
      if (page === 2) await responded;
      return success({
        data: [orderNumber(100300 - page)],
        total: 11,
        more: false,
        page,
        limit: 10,
      });
    }),
  );
  await openApp(paths.recentOrder);
  await row(100299);
  await go(`${paths.recentOrder}?page=2`);
  await row(100299);
  expect(useOrderTrail.getState()).toMatchObject({
    orderIds: [100299],
    listPath: paths.recentOrder,
  });
  respond?.();
  await row(100298);
  expect(useOrderTrail.getState()).toMatchObject({
    orderIds: [100298],
    listPath: `${paths.recentOrder}?page=2`,
  });
});

test.each([
  ['m', paths.myOrder],
  ['f', paths.futureOrder],
  ['r', paths.refundOrder],
  ['c', paths.completedOrder],
])('g %s on an order goes to the folder and does nothing else', async (key, path) => {
  const user = await openOrder();
  await user.keyboard(`g${key}`);
  await waitFor(() => expect(place()).toBe(path));
  expect(screen.queryByRole('dialog')).toBeNull();
});
