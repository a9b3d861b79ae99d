import { expect, test } from 'vitest';
import { allowedInList } from '@/testing/allowed';
import { member } from '@/testing/server';
import { assignToMe, deleteOrders, isOffered, refundedIt } from './actions/orderActions';
import type { ColumnTitles } from './columnSets';
import { allFolders, folders, isSeen, tileFolders } from './folders';

const titles = (columns: ColumnTitles) => columns.map(([, title]) => title);

const distinct = <Value>(values: Value[]) => new Set(values).size;

test('there are fourteen folders, each with its own name, path, count and letter', () => {
  expect(allFolders).toHaveLength(14);
  expect(distinct(allFolders.map(({ orderName }) => orderName))).toBe(14);
  expect(distinct(allFolders.map(({ path }) => path))).toBe(14);
  expect(distinct(allFolders.map(({ countKey }) => countKey))).toBe(14);
  expect(distinct(allFolders.map(({ shortcut }) => shortcut))).toBe(14);
});

test('no folder uses a letter that is a shortcut in a list', () => {
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
    'Owner',
    'Status',
    'Action',
  ]);
});

test('Refunds show the refund date', () => {
  expect(titles(folders.refundOrder.columns)).toEqual([
    'Order Id',
    'Email',
    'Telephone',
    'Date & Time',
    'Refund Date',
    'Status',
    'Action',
  ]);
});

test('Order History is the only folder that needs permission', () => {
  const hidden = allFolders.filter((folder) => !isSeen(folder, member({}).may));
  expect(hidden).toEqual([folders.allOrder]);
});

test('each folder has its own actions on many orders', () => {
  const withActions = allFolders.filter(({ bulk }) => bulk.length > 0);
  const labels = withActions.map(({ orderName, bulk }) => [
    orderName,
    bulk.map(({ label }) => label),
  ]);
  expect(Object.fromEntries(labels)).toEqual({
    newOrder: ['Assign to me', 'Reassign', 'Delete Order'],
    priorityOrder: ['Assign to me', 'Reassign', 'Delete Order'],
    myOrder: ['Move to Original Folder', 'Hand over', 'Delete Order'],
    refundOrder: ['Refunded it', 'Delete Order'],
    deletedOrder: ['Restore'],
    awaitingOrder: ['Reassign'],
    awaitingGovtOrder: ['Reassign'],
    contactCustomerOrder: ['Reassign'],
    customerCalledOrder: ['Reassign'],
    chargeBackOrder: ['Reassign'],
    allOrder: ['Reassign'],
  });
});

test('an action is offered when each selected row allows it', () => {
  const open = { allowed: allowedInList() };
  const closed = { allowed: allowedInList({ delete: false }) };
  expect(isOffered(deleteOrders, [open, open])).toBe(true);
  expect(isOffered(deleteOrders, [open, closed])).toBe(false);
  expect(isOffered(assignToMe, [open, closed])).toBe(true);
});

test('Refunded it is offered when one of the orders is due: the server counts the others', () => {
  const due = { allowed: allowedInList({ refund: true }) };
  const refunded = { allowed: allowedInList({ refund: false }) };
  expect(isOffered(refundedIt, [refunded, due])).toBe(true);
  expect(isOffered(refundedIt, [refunded, refunded])).toBe(false);
});
