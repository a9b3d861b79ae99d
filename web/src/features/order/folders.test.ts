import { expect, test } from 'vitest';
import { member } from '@/testing/server';
import { allFolders, folders, isSeen, mayDeleteRow, tileFolders } from './folders';

const titles = (columns: readonly (readonly [string, string, number?])[]) =>
  columns.map(([, title]) => title);
const distinct = <Value>(values: Value[]) => new Set(values).size;

test('there are fourteen folders, each with its own name, path, count and letter', () => {
  expect(allFolders).toHaveLength(14);
  expect(distinct(allFolders.map(({ orderName }) => orderName))).toBe(14);
  expect(distinct(allFolders.map(({ path }) => path))).toBe(14);
  expect(distinct(allFolders.map(({ countKey }) => countKey))).toBe(14);
  expect(distinct(allFolders.map(({ shortcut }) => shortcut))).toBe(14);
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
