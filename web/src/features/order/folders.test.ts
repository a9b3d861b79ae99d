import { expect, test } from 'vitest';
import type { UserInfo } from '@/api/types';
import { member } from '@/testing/server';
import type { ColumnTitles } from './columnSets';
import { allFolders, type Folder, folders, isSeen, mayDeleteRow, tileFolders } from './folders';

const titles = (columns: ColumnTitles) => columns.map(([, title]) => title);

/** The bulk actions that a member is offered, by folder. */
function offered(may: UserInfo['may']) {
  const actions = ({ bulk }: Folder) =>
    bulk.filter(({ permission }) => permission === undefined || may[permission]);
  return Object.fromEntries(
    allFolders.map((folder) => [folder.orderName, actions(folder).map(({ label }) => label)]),
  );
}

const distinct = <Value>(values: Value[]) => new Set(values).size;

test('there are fourteen folders, each with its own name, path, count and letter', () => {
  expect(allFolders).toHaveLength(14);
  expect(distinct(allFolders.map(({ orderName }) => orderName))).toBe(14);
  expect(distinct(allFolders.map(({ path }) => path))).toBe(14);
  expect(distinct(allFolders.map(({ countKey }) => countKey))).toBe(14);
  expect(distinct(allFolders.map(({ shortcut }) => shortcut))).toBe(14);
});

test.each([
  ['/admin/recent-order', 'newOrder', 'newOrdersCount'],
  ['/admin/my-order', 'myOrder', 'myOrdersCount'],
  ['/admin/priority-order', 'priorityOrder', 'priorityOrdersCount'],
  ['/admin/pending-order', 'pendingOrder', 'pendingOrdersCount'],
  ['/admin/completed-order', 'completedOrder', 'completedOrdersCount'],
  ['/admin/deleted-order', 'deletedOrder', 'deletedOrdersCount'],
  ['/admin/awaiting-response', 'awaitingOrder', 'awaitingOrdersCount'],
  ['/admin/awaiting-govt', 'awaitingGovtOrder', 'awaitingGovtCount'],
  ['/admin/called', 'customerCalledOrder', 'customerCalledCount'],
  ['/admin/contact-customer', 'contactCustomerOrder', 'contactCustomerOrdersCount'],
  ['/admin/order-history', 'allOrder', 'allOrdersCount'],
  ['/admin/refund-order', 'refundOrder', 'refundOrdersCount'],
  ['/admin/chargeback', 'chargeBackOrder', 'chargeBackCount'],
  ['/admin/future-order', 'futureOrder', 'futureOrdersCount'],
])('%s shows the folder %s and counts %s', (path, orderName, countKey) => {
  expect(allFolders.find((folder) => folder.path === path)).toMatchObject({ orderName, countKey });
});

test('no folder takes a letter that means something in a list', () => {
  const taken = allFolders.map(({ shortcut }) => shortcut);
  for (const key of ['a', 'h', 'j', 'k', 'o', 'x']) expect(taken).not.toContain(key);
});

test('five folders have a tile on the home screen', () => {
  expect(tileFolders.map(({ title }) => title)).toEqual([
    'My Orders',
    'New Orders',
    'Priority Orders',
    'Pending Orders',
    'Completed Orders',
  ]);
});

test('Contact Customer has no Telephone column', () => {
  expect(titles(folders.contactCustomerOrder.columns)).toEqual([
    'Order Id',
    'Name',
    'Email',
    'Date & Time',
    'Status',
    'Action',
  ]);
});

test('Refunds show the refund date and delete no single row', () => {
  expect(titles(folders.refundOrder.columns)).toEqual([
    'Order Id',
    'Email',
    'Telephone',
    'Date & Time',
    'Refund Date',
    'Status',
    'Action',
  ]);
  expect(mayDeleteRow(folders.refundOrder, member().may)).toBe(false);
});

test('only Order History is hidden from someone who may not see it', () => {
  const hidden = allFolders.filter((folder) => !isSeen(folder, member({}).may));
  expect(hidden).toEqual([folders.allOrder]);
});

test('everyone may delete a future order, and only those who may delete a new one', () => {
  expect(mayDeleteRow(folders.futureOrder, member({}).may)).toBe(true);
  expect(mayDeleteRow(folders.newOrder, member({}).may)).toBe(false);
  expect(mayDeleteRow(folders.newOrder, member({ delete_orders: true }).may)).toBe(true);
  expect(mayDeleteRow(folders.myOrder, member({ delete_orders: true }).may)).toBe(false);
});

test('a chargeback is deleted by those who may delete orders', () => {
  expect(mayDeleteRow(folders.chargeBackOrder, member({ delete_orders: true }).may)).toBe(true);
  expect(mayDeleteRow(folders.chargeBackOrder, member({}).may)).toBe(false);
});

test('each folder offers its own actions on many orders', () => {
  expect(offered(member().may)).toMatchObject({
    newOrder: ['Assign to me', 'Delete Order'],
    priorityOrder: ['Assign to me', 'Delete Order'],
    myOrder: ['Move to Original Folder', 'Delete Order'],
  });
  // A Manager: everything but the deletion from one's own list.
  expect(offered(member({ delete_orders: true }).may)).toMatchObject({
    newOrder: ['Assign to me', 'Delete Order'],
    priorityOrder: ['Assign to me', 'Delete Order'],
    myOrder: ['Move to Original Folder'],
  });
  expect(offered(member({}).may)).toMatchObject({
    newOrder: ['Assign to me'],
    priorityOrder: ['Assign to me'],
    myOrder: ['Move to Original Folder'],
  });
});
