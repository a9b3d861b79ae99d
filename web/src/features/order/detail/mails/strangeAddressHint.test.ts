import { expect, test } from 'vitest';
import { strangeAddressHint } from './strangeAddressHint';

const order = {
  contact_email_address: 'Emily.Clarke@post.example',
  user: { email: 'account@post.example' },
};

test('the addresses of the application need no word of care, however they are written', () => {
  expect(strangeAddressHint(order, ' emily.clarke@POST.example ')).toBeUndefined();
  expect(strangeAddressHint(order, 'account@post.example')).toBeUndefined();
  expect(strangeAddressHint(order, '')).toBeUndefined();
});

test('any other address is told to be one', () => {
  expect(strangeAddressHint(order, 'emily@post.example')).toBe(
    'This is not an address of the application.',
  );
});
