import { expect, test } from 'vitest';
import { unknownRecipientHint } from './useRecipient';

const order = {
  contact_email_address: 'Emily.Clarke@post.example',
  user: { email: 'account@post.example' },
};

test('the addresses of the application need no warning, in any spelling', () => {
  expect(unknownRecipientHint(order, ' emily.clarke@POST.example ')).toBeUndefined();
  expect(unknownRecipientHint(order, 'account@post.example')).toBeUndefined();
  expect(unknownRecipientHint(order, '')).toBeUndefined();
});

test('any other address gets a warning', () => {
  expect(unknownRecipientHint(order, 'emily@post.example')).toBe(
    'This address is not part of the application.',
  );
});
