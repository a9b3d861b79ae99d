import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import type { OrderDetails } from '@/api/types';
import { allowedOnDetail } from '@/testing/allowed';
import { closeApp, go } from '@/testing/openApp';
import { openOrder } from '@/testing/openOrder';
import { get, member, post, refusal, server, success } from '@/testing/server';

const SAVE = '/api/admin/add-new-remark';

const remarkField = () => screen.getByRole('textbox', { name: 'Add Comment Below' });
const box = (name: string) => screen.getByRole('checkbox', { name });
const save = () => screen.getByRole('button', { name: 'Save Comment' });

const entry: OrderDetails['remark'][number] = {
  id: 7,
  order_id: 100234,
  us_date: '11/20/2026',
  us_time: '04:00:00',
  remark_name: 'Ayu Lestari',
  remark: 'Sent the list of papers.',
  whatsapp: 'Y',
  telephone: '',
  status_refund: '',
  voided: '',
  chargeback: 'Y',
  report_error: '',
};

test('a comment is sent with the field names of the API and appears in the history', async () => {
  let remark: OrderDetails['remark'] = [];
  const sent: unknown[] = [];
  server.use(
    post(SAVE, async ({ request }) => {
      sent.push(await request.json());
      remark = [entry];
      return success({ data: entry }, 'The remark has been saved');
    }),
  );
  const user = await openOrder(() => ({ remark }));
  await user.type(remarkField(), 'Sent the list of papers.');
  await user.click(box('Whatsapp'));
  await user.click(box('Chargeback'));
  await user.click(save());
  expect(await screen.findByText('The remark has been saved')).toBeVisible();
  expect(sent).toEqual([
    {
      orderId: 100234,
      remark: 'Sent the list of papers.',
      remarkerName: 'Ayu Lestari',
      whatsapp: 'Y',
      telephone: '',
      statusRefund: '',
      voided: '',
      chargeBack: 'Y',
    },
  ]);
  const history = within(await screen.findByRole('table', { name: 'Comment History' }));
  expect(history.getByText('Ayu Lestari')).toBeVisible();
  await waitFor(() => expect(remarkField()).toHaveValue(''));
  expect(box('Whatsapp')).not.toBeChecked();
});

test.each([
  ['Whatsapp', 'whatsapp'],
  ['Telephone', 'telephone'],
  ['Refund', 'statusRefund'],
  ['Voided', 'voided'],
  ['Chargeback', 'chargeBack'],
])('the box %s is the flag %s', async (name, flag) => {
  const sent: unknown[] = [];
  server.use(
    post(SAVE, async ({ request }) => {
      sent.push(await request.json());
      return success({ data: entry }, 'The remark has been saved');
    }),
  );
  const user = await openOrder();
  await user.type(remarkField(), 'Called');
  await user.click(box(name));
  await user.click(save());
  expect(await screen.findByText('The remark has been saved')).toBeVisible();
  const flags = { whatsapp: '', telephone: '', statusRefund: '', voided: '', chargeBack: '' };
  expect(sent).toMatchObject([{ ...flags, [flag]: 'Y' }]);
});

test('an empty comment is refused under its field', async () => {
  const user = await openOrder();
  await user.click(box('Telephone'));
  await user.type(remarkField(), '  ');
  await user.click(save());
  expect(await screen.findByText('Please enter your remark')).toBeVisible();
  expect(remarkField()).toHaveAccessibleDescription('Please enter your remark');
});

test('a draft survives the visit of another order', async () => {
  const user = await openOrder();
  await user.type(remarkField(), 'Called, no ans');
  await user.click(box('Telephone'));
  await go('/admin');
  await waitFor(() => expect(screen.queryByText('Add Comment Below')).toBeNull());
  await go(-1);
  expect(await screen.findByRole('textbox', { name: 'Add Comment Below' })).toHaveValue(
    'Called, no ans',
  );
  expect(box('Telephone')).toBeChecked();
});

test('a flag cannot be changed while the comment is saved, since it would be neither sent nor kept', async () => {
  server.use(
    post(SAVE, async () => {
      await user.click(box('Refund'));
      expect(box('Refund')).not.toBeChecked();
      return success({ data: entry }, 'Saved');
    }),
  );
  const user = await openOrder();
  await user.type(remarkField(), 'Called');
  await user.click(save());
  expect(await screen.findByText('Saved')).toBeVisible();
  await waitFor(() => expect(remarkField()).toHaveValue(''));
  await user.click(box('Refund'));
  expect(box('Refund')).toBeChecked();
});

test('a failed save keeps the comment, and a retry sends the same key', async () => {
  const keys: (string | null)[] = [];
  server.use(
    post(SAVE, ({ request }) => {
      keys.push(request.headers.get('Idempotency-Key'));
      return keys.length === 1 ? HttpResponse.error() : success({ data: entry }, 'Saved');
    }),
  );
  const user = await openOrder();
  await user.type(remarkField(), 'Called');
  await user.click(save());
  expect(await screen.findByText(/The server cannot be reached/)).toBeVisible();
  expect(remarkField()).toHaveValue('Called');
  await waitFor(() => expect(save()).toHaveAttribute('aria-disabled', 'false'));
  await user.click(save());
  expect(await screen.findByText('Saved')).toBeVisible();
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(keys[1]).toBe(keys[0]);
});

test('after the session ended, only the author sees the unsaved comment', async () => {
  server.use(post(SAVE, () => refusal(401, 'Please sign in again')));
  const user = await openOrder();
  await user.type(remarkField(), 'Called');
  await user.click(save());
  expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeVisible();

  closeApp();
  await openOrder({}, { ...member(), id: 2 });
  expect(remarkField()).toHaveValue('');

  closeApp();
  await openOrder();
  expect(remarkField()).toHaveValue('Called');
});

test('signing out removes unsaved comments', async () => {
  server.use(post('/api/admin/sign-out', () => success({})));
  const user = await openOrder();
  await user.type(remarkField(), 'Called');
  expect(sessionStorage).toHaveLength(1);
  await user.click(screen.getByRole('button', { name: 'Logout' }));
  expect(sessionStorage).toHaveLength(0);
});

test('the key c leads to the field from each view but Filing, and Ctrl+Enter saves', async () => {
  const sent: unknown[] = [];
  server.use(
    get('/api/admin/paper-reasons', () => success({ data: { reasons: [] } })),
    post(SAVE, async ({ request }) => {
      sent.push(await request.json());
      return success({ data: entry }, 'The remark has been saved');
    }),
  );
  const user = await openOrder();
  await user.keyboard('c');
  expect(remarkField()).toHaveFocus();
  expect(remarkField()).toHaveValue('');
  await user.click(screen.getByRole('link', { name: 'Documents' }));
  await screen.findByRole('navigation', { name: 'Documents' });
  await user.keyboard('c');
  await waitFor(() => expect(remarkField()).toHaveFocus());
  await user.keyboard('Called{Enter}again{Control>}{Enter}{/Control}');
  expect(await screen.findByText('The remark has been saved')).toBeVisible();
  expect(sent).toMatchObject([{ remark: 'Called\nagain' }]);
});

test('the key c does nothing for a member who may not remark', async () => {
  const user = await openOrder({ allowed: allowedOnDetail({ remark: false }) });
  await user.keyboard('c');
  expect(document.body).toHaveFocus();
});
