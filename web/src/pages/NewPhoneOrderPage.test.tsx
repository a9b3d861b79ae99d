import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { paths } from '@/paths/staffPaths';
import { openApp } from '@/testing/openApp';
import { answerDetails, detailsOf } from '@/testing/orderDetails';
import { member, post, refusal, server, signedInAs, success } from '@/testing/server';

test('an order by phone is sent with what was filled in, and opens', async () => {
  signedInAs(member());
  answerDetails((id) => detailsOf(id));
  const sent: { body: unknown; key: string | null }[] = [];
  server.use(
    post('/api/admin/add-phone-order', async ({ request }) => {
      sent.push({ body: await request.json(), key: request.headers.get('Idempotency-Key') });
      return sent.length > 1
        ? success(
            { data: { order_id: 100235, order_number: 'VD-100235' } },
            'The order has been added',
          )
        : refusal(422, 'contact_email_address is missing', 'invalid_fields', {
            errors: [{ field: 'contact_email_address', reason: 'is missing' }],
          });
    }),
  );
  const user = await openApp(paths.newPhoneOrder);
  await user.type(await screen.findByRole('textbox', { name: 'Full Name' }), 'Phoebe Caller');
  await user.click(screen.getByRole('button', { name: 'Add order' }));
  expect(await screen.findByText('This is missing')).toBeVisible();
  expect(screen.getByRole('textbox', { name: 'Email' })).toHaveFocus();
  await user.type(screen.getByRole('textbox', { name: 'Email' }), 'phoebe@post.example');
  await user.click(screen.getByRole('button', { name: 'Add order' }));
  expect(await screen.findByText('The order has been added')).toBeVisible();
  expect(await screen.findByRole('heading', { level: 1, name: /100235/ })).toBeVisible();
  const first = { full_name: 'Phoebe Caller', processing_mode: 'Regular Processing' };
  expect(sent.map(({ body }) => body)).toEqual([
    first,
    { ...first, contact_email_address: 'phoebe@post.example' },
  ]);
  expect(sent[0]!.key).not.toBe(sent[1]!.key);
});

test('a member who may not add one is told so', async () => {
  signedInAs(member({ add_phone_orders: false }));
  await openApp(paths.newPhoneOrder);
  expect(await screen.findByText(/You cannot add orders by phone/)).toBeVisible();
});
