import { expect, test } from 'vitest';
import { mailsSummary, refundsSummary, summaryOf } from './summaries';

const refund = (refunded: number, already_refunded: number, message = 'Refunded') => ({
  refunded,
  already_refunded,
  message,
});

const assigned = (changed: number) => ({ message: 'Order has been assigned', changed });
const stopped = (changed: number) => ({ message: `${changed} emails stopped`, changed });

test('the counts of several refunds are added up', () => {
  expect(refundsSummary([refund(500, 0), refund(200, 3)])).toBe('700 refunded, 3 already refunded');
  const uncounted = { message: 'Refunded' };
  expect(refundsSummary([refund(500, 2), uncounted])).toBe('500 refunded, 2 already refunded');
});

test('orders that wait for approval are added up beside the counts', () => {
  const waits = (orders: number) => ({
    ...refund(0, 0, 'Nothing was refunded yet'),
    approval: { orders },
  });
  expect(refundsSummary([refund(500, 0), waits(200), waits(40)])).toBe(
    '500 refunded, 0 already refunded; 240 wait for approval by another Admin or Manager',
  );
  expect(refundsSummary([waits(200)])).toBe('Nothing was refunded yet');
});

test('equal messages become one, different ones are all kept', () => {
  expect(summaryOf([{ message: 'Done' }, { message: 'Done' }])).toBe('Done');
  expect(summaryOf([{ message: 'Done' }, { message: 'Moved' }])).toBe('Done; Moved');
});

test('a single message is left unchanged', () => {
  const message = '0 refunded, 1 already refunded on 20-11-2026';
  expect(refundsSummary([refund(0, 1, message)])).toBe(message);
  expect(summaryOf([])).toBe('');
});

test('the orders that several calls changed are counted by the server', () => {
  expect(summaryOf([assigned(500), assigned(1200)])).toBe('Order has been assigned (1,700)');
  expect(summaryOf([assigned(500)])).toBe('Order has been assigned');
  const uncounted = { message: 'Order has been assigned' };
  expect(summaryOf([assigned(500), uncounted])).toBe('Order has been assigned');
});

test('stopped emails of several calls are counted together', () => {
  expect(mailsSummary('stopped')([stopped(500), stopped(20)])).toBe('520 emails stopped');
  const single = { message: 'The email is stopped', changed: 1 };
  expect(mailsSummary('stopped')([single])).toBe('The email is stopped');
  expect(mailsSummary('stopped')([])).toBe('');
});
