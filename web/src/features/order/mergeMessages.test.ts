import { expect, test } from 'vitest';
import { mergeMessages } from './mergeMessages';

const refund = (refunded: number, already_refunded: number, message = 'Refunded') => ({
  refunded,
  already_refunded,
  message,
});

test('the counts of several refunds are added up', () => {
  expect(mergeMessages([refund(500, 0), refund(200, 3)])).toBe('700 refunded, 3 already refunded');
});

test('orders that wait for approval are added up beside the counts', () => {
  const waits = (orders: number) => ({
    ...refund(0, 0, 'Nothing was refunded yet'),
    approval: { orders },
  });
  expect(mergeMessages([refund(500, 0), waits(200), waits(40)])).toBe(
    '500 refunded, 0 already refunded; 240 wait for approval by another Admin or Manager',
  );
  expect(mergeMessages([waits(200)])).toBe('Nothing was refunded yet');
});

test('equal messages become one, different ones are all kept', () => {
  expect(mergeMessages([{ message: 'Done' }, { message: 'Done' }])).toBe('Done');
  expect(mergeMessages([{ message: 'Done' }, { message: 'Moved' }])).toBe('Done; Moved');
});

test('a single message is left unchanged', () => {
  const message = '0 refunded, 1 already refunded on 20-11-2026';
  expect(mergeMessages([refund(0, 1, message)])).toBe(message);
  expect(mergeMessages([])).toBe('');
});
