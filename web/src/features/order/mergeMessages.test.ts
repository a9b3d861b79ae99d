import { expect, test } from 'vitest';
import { mergeMessages } from './mergeMessages';

test('the numbers of several answers are added up', () => {
  const answers = ['500 refunded, 0 already refunded', '200 refunded, 3 already refunded'];
  expect(mergeMessages(answers)).toBe('700 refunded, 3 already refunded');
});

test('the same words without a number are said once', () => {
  expect(
    mergeMessages(['Order has been deleted successfully', 'Order has been deleted successfully']),
  ).toBe('Order has been deleted successfully');
});

test('answers that differ in their words are all kept', () => {
  const answers = [
    '500 refunded, 0 already refunded',
    '0 refunded, 1 already refunded on 20-11-2026',
  ];
  expect(mergeMessages(answers)).toBe(answers.join('; '));
});

test('one answer stays as it is, dates and all', () => {
  const answer = '0 refunded, 1 already refunded on 20-11-2026';
  expect(mergeMessages([answer])).toBe(answer);
  expect(mergeMessages([])).toBe('');
});
