import { expect, test } from 'vitest';
import { formatAmount, formatCount, formatDecimal, formatMoney } from './numbers';

test('amounts have the decimals of their currency', () => {
  expect(formatMoney(11900, 'USD')).toBe('USD 119.00');
  expect(formatMoney(11900, 'JPY')).toBe('JPY 11,900');
  expect(formatMoney(1234567, 'KWD')).toBe('KWD 1,234.567');
  expect(['2086.00', '11900', '1234.567'].map(formatAmount)).toEqual([
    '2,086.00',
    '11,900',
    '1,234.567',
  ]);
});

test('a count has its thousands apart', () => {
  expect([0, 999, 12034].map(formatCount)).toEqual(['0', '999', '12,034']);
});

test('a size has at most one decimal', () => {
  expect(formatDecimal(4.816)).toBe('4.8');
  expect(formatDecimal(5)).toBe('5');
});
