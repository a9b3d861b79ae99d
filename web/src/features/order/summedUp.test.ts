import { expect, test } from 'vitest';
import { summedUp } from './summedUp';

test('the numbers of several answers are added up', () => {
  const answers = ['500 refunded, 0 already refunded', '200 refunded, 3 already refunded'];
  expect(summedUp(answers)).toBe('700 refunded, 3 already refunded');
});

test('the same words without a number are said once', () => {
  expect(
    summedUp(['Order has been deleted successfully', 'Order has been deleted successfully']),
  ).toBe('Order has been deleted successfully');
});

test('answers that differ in their words are all told', () => {
  const answers = [
    '500 refunded, 0 already refunded',
    '0 refunded, 1 already refunded on 20-11-2026',
  ];
  expect(summedUp(answers)).toBe(answers.join('; '));
});

test('one answer stays as it is, dates and all', () => {
  const answer = '0 refunded, 1 already refunded on 20-11-2026';
  expect(summedUp([answer])).toBe(answer);
  expect(summedUp([])).toBe('');
});
