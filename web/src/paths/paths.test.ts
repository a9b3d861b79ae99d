import { expect, test } from 'vitest';
import { paths } from './staffPaths';
import { publicPaths } from './publicPaths';
import { decodeId, encodeId, readId } from './encodedId';

test('an id in a link is base64 of twice its value', () => {
  expect(encodeId(100234)).toBe(btoa('200468'));
  expect(paths.viewOrder(100234)).toBe('/admin/view-order/MjAwNDY4');
  expect(paths.teamMember(2)).toBe('/admin/manage-team/NA%3D%3D');
});

test('every encoded id decodes to itself', () => {
  for (const id of [1, 7, 100001, 987654321]) expect(decodeId(encodeId(id))).toBe(id);
});

test.each(['', '%%%', btoa('7'), btoa('0'), btoa('-2'), btoa('2e9'), btoa('abc')])(
  '%o is no encoded id',
  (text) => expect(decodeId(text)).toBeNull(),
);

test('the links of the public pages carry the encoded id', () => {
  expect(publicPaths.trackOrder(100001)).toBe('/track-order/MjAwMDAy');
  expect(publicPaths.newOrderDetails(100001)).toBe('/get-new-order-details/MjAwMDAy');
});

test('the first order is read, too', () => expect(readId('1')).toBe(1));

test.each(['100001', ' VD-100001 ', 'vd-100001', 'MjAwMDAy', ' MjAwMDAy\n'])(
  '%o is read as an id',
  (text) => expect(readId(text)).toBe(100001),
);

test.each(['', '0', 'VD-', '-1', '1.5', 'order', '99999999999999999999'])(
  '%o is read as no id',
  (text) => expect(readId(text)).toBeNull(),
);
