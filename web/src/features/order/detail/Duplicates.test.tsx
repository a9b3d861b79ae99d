import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { Duplicate } from '@/api/types';
import { paths } from '@/paths/staffPaths';
import { openApp } from '@/testing/openApp';
import { answerDetails, detailsOf } from '@/testing/orderDetails';
import { get, member, refusal, server, signedInAs, success } from '@/testing/server';
import { bySharedFacts } from './Duplicates';

const duplicate = (order_id: number, same: Duplicate['same']): Duplicate => ({
  order_id,
  order_number: `VD-${order_id}`,
  process_status: 'Completed',
  // The next day in the agency's zone.
  created_at: '2026-03-01T18:00:00Z',
  same,
});

const CALL = '/api/admin/order-duplicates/:orderId';

/** Opens an order with these similar orders. */
async function openWith(orders: Duplicate[], more = false) {
  signedInAs(member());
  answerDetails(() => detailsOf(100234, {}));
  server.use(get(CALL, () => success({ data: { orders, more } })));
  return openApp(paths.viewOrder(100234));
}

test('a few orders with the same passport are named on one line, with links', async () => {
  await openWith([duplicate(188420, ['passport']), duplicate(188419, ['passport'])]);
  const notice = await screen.findByRole('region', { name: 'Similar orders' });
  expect(notice).toHaveTextContent(
    'Same passport in 2 other orders: 188420 Completed, 02-03-2026 · 188419 Completed, 02-03-2026',
  );
  expect(within(notice).getByRole('link', { name: '188420' })).toHaveAttribute(
    'href',
    paths.viewOrder(188420),
  );
  expect(within(notice).queryByRole('button')).toBeNull();
});

test('many orders are folded until they are asked for', async () => {
  const user = await openWith(
    [
      duplicate(5, ['email']),
      duplicate(4, ['passport', 'email']),
      duplicate(3, ['email']),
      duplicate(2, ['email']),
    ],
    true,
  );
  const notice = await screen.findByRole('region', { name: 'Similar orders' });
  expect(notice).toHaveTextContent(/^Same passport and email in 1 other order: 4 Completed/);
  expect(within(notice).getAllByRole('link')).toHaveLength(1);
  await user.click(within(notice).getByRole('button', { name: 'Show 3 more' }));
  expect(within(notice).getAllByRole('link')).toHaveLength(4);
  expect(notice).toHaveTextContent('Same email in 3 other orders: 5 Completed');
  expect(notice).toHaveTextContent('There are more, older orders.');
  await user.click(within(notice).getByRole('button', { name: 'Show fewer' }));
  expect(within(notice).getAllByRole('link')).toHaveLength(1);
});

function onPhone() {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (media) =>
      Object.assign(new EventTarget(), {
        matches: media === '(max-width: 767px)',
        media,
      }) as unknown as MediaQueryList,
  );
}

test('on a phone, one order with three facts is folded', async () => {
  onPhone();
  await openWith([duplicate(188420, ['passport', 'email', 'phone'])]);
  const notice = await screen.findByRole('region', { name: 'Similar orders' });
  expect(notice).toHaveTextContent(/^Same passport, email and phone in 1 other order ?Show 1$/);
  vi.restoreAllMocks();
});

test('on a phone, one order with two facts is not folded', async () => {
  onPhone();
  await openWith([duplicate(188420, ['passport', 'email'])]);
  const notice = await screen.findByRole('region', { name: 'Similar orders' });
  expect(within(notice).getAllByRole('link')).toHaveLength(1);
  expect(within(notice).queryByRole('button')).toBeNull();
  vi.restoreAllMocks();
});

test('on a phone, several orders are folded to two lines, for which there is room while it is loading', async () => {
  onPhone();
  const user = await openWith([duplicate(188420, ['passport']), duplicate(188419, ['passport'])]);
  const notice = await screen.findByRole('region', { name: 'Similar orders' });
  expect(notice).toHaveTextContent(/^Same passport in 2 other orders ?Show 2$/);
  await user.click(within(notice).getByRole('button', { name: 'Show 2' }));
  expect(within(notice).getAllByRole('link')).toHaveLength(2);
  vi.restoreAllMocks();
});

test('an order without similar ones says so', async () => {
  await openWith([]);
  expect(await screen.findByText(/^No other order has the same passport/)).toBeVisible();
});

test('similar orders that cannot be loaded leave the order usable', async () => {
  signedInAs(member());
  answerDetails(() => detailsOf(100234, {}));
  server.use(get(CALL, () => refusal(422, 'The database does not answer')));
  await openApp(paths.viewOrder(100234));
  expect(await screen.findByText(/The database does not answer/)).toBeVisible();
  expect(screen.getByRole('region', { name: 'Actions' })).toBeVisible();
});

test('orders are grouped by what is the same, those with the most facts first', () => {
  const both: Duplicate['same'] = ['passport', 'email', 'phone'];
  const groups = bySharedFacts([
    duplicate(3, ['email']),
    duplicate(2, both),
    duplicate(1, ['email']),
  ]);
  expect(groups.map(({ facts, orders }) => [facts, orders.map((order) => order.order_id)])).toEqual(
    [
      ['passport, email and phone', [2]],
      ['email', [3, 1]],
    ],
  );
});
