import { expect, test, vi } from 'vitest';
import { rememberAddress, takeAddress } from './returnAddress';

test('an address is returned once, to its member', () => {
  rememberAddress(1, '/admin/view-order/abc?view=papers#data');
  expect(takeAddress(1)).toBe('/admin/view-order/abc?view=papers#data');
  expect(takeAddress(1)).toBeNull();
  rememberAddress(1, '/admin/my-order');
  expect(takeAddress(2)).toBeNull();
  expect(takeAddress(1)).toBeNull();
});

test('an address is forgotten after fifteen minutes', () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  rememberAddress(1, '/admin/my-order');
  vi.setSystemTime(Date.now() + 15 * 60_000);
  expect(takeAddress(1)).toBeNull();
});

test.each([
  '/',
  '//evil.example/admin',
  'https://evil.example/admin',
  '/administrator',
  '/admin\\@evil',
  'javascript:alert(1)',
])('the address %s is none of the staff area', (address) => {
  rememberAddress(1, address);
  expect(takeAddress(1)).toBeNull();
});
