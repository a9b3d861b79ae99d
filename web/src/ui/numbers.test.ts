import { expect, test } from 'vitest';
import { formatMoney } from './numbers';

test('amounts have the decimals of their currency', () => {
  expect(formatMoney(11900, 'USD')).toBe('USD 119.00');
  expect(formatMoney(11900, 'JPY')).toBe('JPY 11,900');
  expect(formatMoney(1234567, 'KWD')).toBe('KWD 1,234.567');
});
