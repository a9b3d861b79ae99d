import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { OrderDetails, SentMail } from '@/api/types';
import { openOrder } from '@/testing/openOrder';
import { linkTo, sentMail } from '@/testing/orderDetails';
import { get, post, refusal, server, success } from '@/testing/server';

const HISTORY = '/api/admin/get-order-history/:orderId';

/** The mails of an order of `count` mails from one number to another. */
function mails(from: number, to: number): SentMail[] {
  return Array.from({ length: to - from + 1 }, (_, index) =>
    sentMail({ id: from + index, email: `mail-${from + index}@post.example` }),
  );
}

/** The details of an order with so many mails. */
function orderWith(count: number): Partial<OrderDetails> {
  const from = Math.max(count - 50, 0);
  const older = { mails: from > 0 ? String(from + 1) : null };
  return { mailHistory: mails(from + 1, count), mailTotal: count, older };
}

/** Serves older mails, and records what was asked. */
function answerPages(): string[] {
  const asked: string[] = [];
  server.use(
    get(HISTORY, ({ request }) => {
      const url = new URL(request.url);
      asked.push(url.search);
      const to = Number(url.searchParams.get('before')) - 1;
      const from = Math.max(to - Number(url.searchParams.get('limit')), 0);
      return success({
        data: { mailHistory: mails(from + 1, to), older: from > 0 ? String(from + 1) : null },
      });
    }),
  );
  return asked;
}

const history = () => within(screen.getByRole('region', { name: 'Email History' }));
const older = () => history().getByRole('button', { name: 'Show older' });

function numbers(): number[] {
  const rows = history().getAllByRole('row');
  const cells = rows.map((row) => row.querySelector('[data-label="#"]')).filter((cell) => cell);
  return cells.map((cell) => Number(cell?.textContent));
}

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

test('older rows are added above the newest ones until there are none, and are announced', async () => {
  const asked = answerPages();
  const user = await openOrder(orderWith(120));
  expect(history().getByText(/The newest 50 of 120/)).toBeVisible();
  expect(numbers()).toEqual(range(71, 120));
  expect(asked).toEqual([]);
  older().focus();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(numbers()).toEqual(range(21, 120)));
  expect(history().getByRole('status')).toHaveTextContent('50 older added, 100 of 120 shown');
  expect(older()).toHaveFocus();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(numbers()).toEqual(range(1, 120)));
  expect(history().getByRole('status')).toHaveTextContent('20 older added, 120 of 120 shown');
  expect(history().queryByRole('button', { name: 'Show older' })).toBeNull();
  expect(history().queryByText(/The newest/)).toBeNull();
  expect(history().getByRole('table')).toHaveFocus();
  expect(asked).toEqual([
    '?history=mails&before=71&limit=50',
    '?history=mails&before=21&limit=100',
  ]);
});

test('a failure is told with a way to try again, and the rows stay', async () => {
  const user = await openOrder(orderWith(60));
  server.use(get(HISTORY, () => refusal(500, 'The server has a problem', 'internal')));
  await user.click(older());
  const toast = within(await screen.findByRole('alert'));
  expect(toast.getByText('The server has a problem')).toBeVisible();
  expect(numbers()).toEqual(range(11, 60));
  answerPages();
  await user.click(toast.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(numbers()).toEqual(range(1, 60)));
  expect(history().getByRole('status')).toHaveTextContent('10 older added, 60 of 60 shown');
});

test('a mail that is sent meanwhile hides no row between the newest and the older ones', async () => {
  const asked = answerPages();
  let count = 120;
  server.use(
    post('/api/admin/resend-mail', () => {
      count += 3;
      return success({}, 'Resent');
    }),
  );
  const user = await openOrder(() => orderWith(count));
  await user.click(older());
  await waitFor(() => expect(numbers()).toEqual(range(21, 120)));
  await user.click(screen.getByRole('button', { name: 'Resend via AWS' }));
  await waitFor(() => expect(numbers()).toEqual(range(24, 123)));
  expect(asked.at(-1)).toBe('?history=mails&before=74&limit=50');
});

test('the link of an older row is the one that the details renewed', async () => {
  const file1 = 'visa.pdf';
  const visa = {
    file1,
    link: linkTo(file1, 'fresh'),
    customer_name: 'Emily',
    create_ts: '2026-11-20T02:01:07Z',
    is_withdrawn: false,
  };
  server.use(
    get(HISTORY, () => {
      const uploadDoc = { file1, link: linkTo(file1, 'old'), mail_service_provider: 'AWS' };
      return success({ data: { mailHistory: [sentMail({ id: 1, uploadDoc })], older: null } });
    }),
  );
  const user = await openOrder({ ...orderWith(51), uploadDoc: [visa] });
  await user.click(older());
  const link = await history().findByRole('link', { name: 'Emily' });
  expect(link).toHaveAttribute('href', `${location.origin}/${linkTo(file1, 'fresh')}`);
});

test('an order with few rows has no button', async () => {
  await openOrder(orderWith(50));
  expect(numbers()).toEqual(range(1, 50));
  expect(screen.queryByRole('button', { name: 'Show older' })).toBeNull();
});
