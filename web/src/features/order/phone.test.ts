import { expect, test } from 'vitest';
import { phoneOf, whatsappLink } from './phone';

test('a phone is a plus, the country code and the number', () => {
  expect(phoneOf('44', '7700 904411')).toEqual({
    text: '+44 7700 904411',
    dialled: '+447700904411',
  });
});

test('a leading zero is shown but not dialled, except for Italy', () => {
  expect(phoneOf('62', '0812-0000-4417')).toMatchObject({
    text: '+62 0812-0000-4417',
    dialled: '+6281200004417',
  });
  expect(phoneOf('39', '06 1234567')?.dialled).toBe('+39061234567');
});

test('a number that includes its country code does not get it twice', () => {
  expect(phoneOf('44', '+44 7700 904411')?.text).toBe('+44 7700 904411');
  expect(phoneOf('62', '0062 812-0000-4417')).toEqual({
    text: '0062 812-0000-4417',
    dialled: '+6281200004417',
  });
  expect(phoneOf('0062', '812-0000-4417')?.dialled).toBe('+6281200004417');
});

test('without a country code it is dialled as it was typed', () => {
  expect(phoneOf(null, '7700904411')).toEqual({ text: '7700904411', dialled: '7700904411' });
});

test('an extension is shown and not dialled', () => {
  expect(phoneOf('1', '+1 201-555-0123 ext. 12')).toEqual({
    text: '+1 201-555-0123 ext. 12',
    dialled: '+12015550123',
  });
});

test('a number without digits is no phone', () => {
  expect(phoneOf('44', null)).toBeNull();
  expect(phoneOf('44', ' - ')).toBeNull();
});

test('a WhatsApp link has digits only and its text encoded', () => {
  expect(whatsappLink('447700904411', 'Visa & order: ')).toBe(
    'https://wa.me/447700904411?text=Visa%20%26%20order%3A%20',
  );
});
