import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { allowedOnDetail } from '@/testing/allowed';
import { openOrder } from '@/testing/openOrder';
import { put, refusal, server, success } from '@/testing/server';

const open = async (user: Awaited<ReturnType<typeof openOrder>>) => {
  await user.click(
    screen.getByRole('button', { name: 'Correct: Personal and Contact Information' }),
  );
  return within(await screen.findByRole('dialog'));
};

test('what the customer sent stands beside the correction, also where the field is empty now', async () => {
  await openOrder({ city: 'Ubud', originals: { city: 'Kuta', province: 'Bali', sex: null } });
  expect(screen.getByText('Kuta').closest('dd')).toHaveTextContent('Ubudoriginally Kuta');
  expect(screen.getByText('Bali').closest('dd')).toHaveTextContent('-originally Bali');
  expect(screen.queryByText(/originally empty/)).toBeNull();
});

test('only what changed is sent, with the value that was seen', async () => {
  const sent: unknown[] = [];
  server.use(
    put('/api/admin/correct-order', async ({ request }) => {
      sent.push(await request.json());
      return success({ message: '2 fields were corrected' });
    }),
  );
  const user = await openOrder();
  const dialog = await open(user);
  const phone = dialog.getByRole('textbox', { name: 'Phone' });
  await user.clear(phone);
  await user.type(phone, '7700 1');
  await user.type(dialog.getByRole('textbox', { name: 'Sex' }), 'Female');
  await user.click(dialog.getByRole('button', { name: 'Save correction' }));
  expect(await screen.findByText('2 fields were corrected')).toBeVisible();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(sent).toEqual([
    {
      orderId: expect.any(Number) as number,
      fields: {
        phone_number: { before: '7700 904411', after: '7700 1' },
        sex: { before: null, after: 'Female' },
      },
    },
  ]);
});

test('the server’s reasons stand at their fields, and what was typed stays', async () => {
  server.use(
    put('/api/admin/correct-order', () =>
      refusal(422, 'phone_number must be a telephone number', 'invalid_correction', {
        errors: [{ field: 'phone_number', reason: 'must be a telephone number' }],
      }),
    ),
  );
  const user = await openOrder();
  const dialog = await open(user);
  const phone = dialog.getByRole('textbox', { name: 'Phone' });
  await user.clear(phone);
  await user.type(phone, 'none');
  await user.click(dialog.getByRole('button', { name: 'Save correction' }));
  expect(await dialog.findByText('This must be a telephone number')).toBeVisible();
  expect(phone).toHaveValue('none');
});

test('what somebody else changed is shown, and replaced only by saving again', async () => {
  const sent: unknown[] = [];
  let number = '7700 904411';
  const user = await openOrder(() => ({ phone_number: number }));
  const dialog = await open(user);
  number = '8111';
  server.use(
    put('/api/admin/correct-order', async ({ request }) => {
      sent.push(((await request.json()) as { fields: object }).fields);
      return sent.length > 1
        ? success({ message: '1 field was corrected' })
        : refusal(409, 'Nothing was changed', 'corrected_meanwhile', { fields: ['phone_number'] });
    }),
  );
  const phone = dialog.getByRole('textbox', { name: 'Phone' });
  await user.clear(phone);
  await user.type(phone, '8222');
  await user.click(dialog.getByRole('button', { name: 'Save correction' }));
  expect(await dialog.findByText(/Somebody else changed this to “8111”/)).toBeVisible();
  expect(phone).toHaveValue('8222');
  await user.click(dialog.getByRole('button', { name: 'Save correction' }));
  expect(await screen.findByText('1 field was corrected')).toBeVisible();
  expect(sent).toEqual([
    { phone_number: { before: '7700 904411', after: '8222' } },
    { phone_number: { before: '8111', after: '8222' } },
  ]);
});

test('an order that may not be corrected offers none', async () => {
  await openOrder({ allowed: allowedOnDetail({ correct: false }) });
  expect(screen.queryByRole('button', { name: /^Correct/ })).toBeNull();
});

test('a field that is not understood is shown as it was sent, and settled without a correction', async () => {
  const sent: unknown[] = [];
  server.use(
    put('/api/admin/correct-order', async ({ request }) => {
      sent.push(await request.json());
      return success({}, 'There is nothing to correct');
    }),
  );
  const kept = { field: 'date_of_birth', value: '04/12/1990', reason: 'must be a date' };
  const user = await openOrder({
    date_of_birth: null,
    kept_values: [
      { ...kept, is_open: true },
      { field: 'city', value: 'K\u0335uta', reason: 'contains characters', is_open: false },
      { field: 'purchase_ip', value: '[::1]:443', reason: null, is_open: false },
    ],
  });
  const notice = within(screen.getByRole('region', { name: 'Unclear fields' }));
  expect(notice.getAllByRole('listitem')).toHaveLength(1);
  expect(notice.getByRole('listitem')).toHaveTextContent(
    'Date of Birth: 04/12/1990This must be a date',
  );
  const dialog = await open(user);
  expect(dialog.getByText('The customer sent “04/12/1990”.')).toBeVisible();
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  await user.click(notice.getByRole('button', { name: 'Nothing to correct: Date of Birth' }));
  expect(await screen.findByText('There is nothing to correct')).toBeVisible();
  expect(sent).toEqual([
    {
      orderId: expect.any(Number) as number,
      fields: { date_of_birth: { before: null, after: null } },
    },
  ]);
});
