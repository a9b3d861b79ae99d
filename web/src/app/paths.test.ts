import { expect, test } from 'vitest';
import { decodeId, encodeId, paths } from './paths';

test('an id in a link is base64 of twice its value', () => {
  expect(encodeId(100234)).toBe(btoa('200468'));
  expect(paths.viewOrder(100234)).toBe('/admin/view-order/MjAwNDY4');
});

test('every encoded id decodes to itself', () => {
  for (const id of [1, 7, 100001, 987654321]) expect(decodeId(encodeId(id))).toBe(id);
});

test.each(['', '%%%', btoa('7'), btoa('0'), btoa('-2'), btoa('2e9'), btoa('abc')])(
  '%o is no encoded id',
  (text) => expect(decodeId(text)).toBeNull(),
);
