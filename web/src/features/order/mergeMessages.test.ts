import { expect, test } from 'vitest';
import { mergeMessages } from './mergeMessages';

test('the numbers of several messages are added up', () => {
  const answers = ['500 refunded, 0 already refunded', '200 refunded, 3 already refunded'];
  expect(mergeMessages(answers)).toBe('700 refunded, 3 already refunded');
});

test('equal messages without numbers become one', () => {
  expect(
    mergeMessages(['Order has been deleted successfully', 'Order has been deleted successfully']),
  ).toBe('Order has been deleted successfully');
});

test('messages with different words are all kept', () => {
  const answers = [
    '500 refunded, 0 already refunded',
    '0 refunded, 1 already refunded on 20-11-2026',
  ];
  expect(mergeMessages(answers)).toBe(answers.join('; '));
});

test('a single message is left unchanged', () => {
  const answer = '0 refunded, 1 already refunded on 20-11-2026';
  expect(mergeMessages([answer])).toBe(answer);
  expect(mergeMessages([])).toBe('');
});
