import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { openApp } from '@/testing/openApp';
import { member, post, refusal, server, signedInAs, success } from '@/testing/server';

const CALL = '/api/admin/get-processed-by-count';
const PAGE = '/admin/processed-order?from=2026-11-01&to=2026-11-30';

const MEMBERS = [
  { processed_by: 'Ayu Lestari', count: 30 },
  { processed_by: 'Budi Santoso', count: 12 },
];

const cells = () =>
  within(screen.getByRole('table'))
    .getAllByRole('row')
    .map((row) => [...(row as HTMLTableRowElement).cells].map((cell) => cell.textContent.trim()));

test('members are listed with their completed orders, and the message is shown', async () => {
  signedInAs(member());
  const asked: unknown[] = [];
  server.use(
    post(CALL, async ({ request }) => {
      asked.push(await request.json());
      return success({ data: MEMBERS }, '42 orders were processed on these days');
    }),
  );
  const user = await openApp(PAGE);
  expect(await screen.findByText('42 orders were processed on these days')).toBeVisible();
  expect(cells()).toEqual([
    ['Serial Number', 'Name', 'Order Count'],
    ['1', 'Ayu Lestari', '30'],
    ['2', 'Budi Santoso', '12'],
    ['Total', '', '42'],
  ]);
  expect(asked).toEqual([{ fromDate: '2026-11-01', toDate: '2026-11-30' }]);

  await user.type(screen.getByRole('searchbox', { name: 'Search by name' }), 'budi');
  await waitFor(() =>
    expect(cells().slice(1)).toEqual([
      ['2', 'Budi Santoso', '12'],
      ['Total', '', '12'],
    ]),
  );
});

test('a refusal is shown in a toast and in place of the rows', async () => {
  signedInAs(member());
  server.use(post(CALL, () => refusal(403, 'You may not do this')));
  await openApp(PAGE);
  expect(await screen.findByRole('alert')).toHaveTextContent('You may not do this');
  expect(await within(screen.getByRole('main')).findByText('You may not do this')).toBeVisible();
});

test('a report that loads at the second attempt shows no error', async () => {
  signedInAs(member());
  server.use(
    post(CALL, () => refusal(503, 'The server is busy'), { once: true }),
    post(CALL, () => success({ data: MEMBERS }, '42 orders were processed on these days')),
  );
  await openApp(PAGE);
  expect(await screen.findByText('42 orders were processed on these days')).toBeVisible();
  expect(screen.queryByText('The server is busy')).toBeNull();
});

test('a period without completed orders says so', async () => {
  signedInAs(member());
  server.use(post(CALL, () => success({ data: [] }, 'No order was processed on these days')));
  await openApp(PAGE);
  expect(await screen.findByText('No records found')).toBeVisible();
  expect(screen.getByText('No order was processed on these days')).toBeVisible();
});
