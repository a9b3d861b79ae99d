import { screen, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { afterEach, expect, test, vi } from 'vitest';
import type { HomeData } from '@/api/types';
import { openApp } from '@/testing/openApp';
import { get, home, member, refusal, server, signedInAs, success } from '@/testing/server';

afterEach(() => {
  vi.useRealTimers();
});

async function openHome(data: HomeData) {
  signedInAs(member());
  server.use(get('/api/admin/home', () => success({ data })));
  await openApp('/admin');
  return screen.findByRole('region', { name: 'Needs attention' });
}

const order = {
  order_id: 196741,
  order_number: 'VD-196741',
  full_name: '王小明',
  process_status: 'New' as const,
  assign_to: null,
  reason: 'Waiting 2 h 10 min',
  is_urgent: true,
};

function withGroups(...changed: Partial<HomeData['groups'][number]>[]): HomeData {
  const data = home();
  for (const group of data.groups) {
    Object.assign(
      group,
      changed.find((one) => one.group === group.group),
    );
  }
  return data;
}

test('each order that needs attention is a link with its reason, and each group leads to its folder', async () => {
  const taken = { ...order, order_id: 181204, assign_to: 'Ayu Lestari', reason: 'Due today' };
  const board = await openHome(
    withGroups(
      { group: 'priority', total: 4, orders: [order] },
      { group: 'disputes', total: 1, orders: [taken] },
      { group: 'untouched', total: 1000, more: true, orders: [taken] },
    ),
  );
  const priority = within(board).getByRole('region', { name: 'Priority without an owner' });
  const row = within(priority).getByRole('link', { name: /196741/ });
  expect(row).toHaveTextContent('Waiting 2 h 10 min 196741 王小明 New Unassigned');
  expect(row).toHaveAttribute('href', expect.stringContaining('/admin/view-order/'));
  expect(within(priority).getByRole('link', { name: 'Open Priority Orders' })).toHaveAttribute(
    'href',
    '/admin/priority-order',
  );
  const untouched = within(board).getByRole('region', { name: 'Untouched for three days' });
  expect(untouched).toHaveTextContent('1,000+');
  expect(untouched).toHaveTextContent('Ayu Lestari');
  expect(
    within(untouched).getByRole('link', { name: 'Show all in Order History' }),
  ).toHaveAttribute('href', '/admin/order-history?needs=untouched');
  const disputes = within(board).getByRole('region', { name: 'Disputes by days left' });
  expect(
    within(disputes).getByRole('link', { name: 'Show all in ChargeBack Orders' }),
  ).toHaveAttribute('href', '/admin/chargeback?needs=disputes');
  const emails = within(board).getByRole('region', { name: 'Emails that did not arrive' });
  expect(emails).toHaveTextContent('Every email was sent.');
  expect(within(emails).queryByRole('link')).toBeNull();
  expect(board).toHaveTextContent('as of 09:45 WIB');
});

test('the board is read again when the server has a new one, a minute after it was read', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  let asked = 0;
  signedInAs(member());
  server.use(
    get('/api/admin/home', () => {
      asked += 1;
      // By the server's clock, whatever that of the browser says.
      const headers = { Date: 'Fri, 20 Nov 2026 02:45:40 GMT' };
      return HttpResponse.json({ status: 1, message: 'OK', data: home() }, { headers });
    }),
  );
  await openApp('/admin');
  await screen.findByRole('region', { name: 'Needs attention' });
  await vi.advanceTimersByTimeAsync(18_000);
  expect(asked).toBe(1);
  await vi.advanceTimersByTimeAsync(4_000);
  expect(asked).toBe(2);
});

test('a day without work says so', async () => {
  expect(await openHome(home())).toHaveTextContent('All done. No order needs attention now.');
});

test('the chart has its numbers as a table, the newest day first', async () => {
  const days = [
    { day: '2026-11-19', received: 150, completed: 120 },
    { day: '2026-11-20', received: 20, completed: 9 },
  ];
  const numbers = {
    days,
    received: 170,
    completed: 129,
    paid: [
      { currency: 'EUR', amount: '119.00' },
      { currency: 'USD', amount: '2086.00' },
    ],
    median_minutes: 560,
    priority_median_minutes: null,
  };
  await openHome(home({ numbers }));
  const chart = screen.getByRole('region', { name: '30 days' });
  expect(chart).toHaveTextContent('Received 170');
  expect(chart).toHaveTextContent('Completed 129');
  expect(chart).toHaveTextContent('Median time from payment to visa9 h 20 min');
  expect(chart).toHaveTextContent('EUR 119.00 USD 2,086.00');
  const rows = within(chart).getAllByRole('row', { hidden: true });
  expect(rows.map((row) => row.textContent)).toEqual([
    'DayReceivedCompleted',
    '20-11-2026209',
    '19-11-2026150120',
  ]);
});

test('without numbers and sums there is one’s own day alone', async () => {
  await openHome(home({ my_day: { open: 12, completed_today: 9 } }));
  const day = screen.getByRole('region', { name: 'My day' });
  expect(within(day).getByRole('link', { name: '12 open' })).toHaveAttribute(
    'href',
    '/admin/my-order',
  );
  expect(day).toHaveTextContent('9 done today');
  expect(screen.queryByRole('region', { name: '30 days' })).toBeNull();
});

test('a board that cannot be loaded says why and offers to try again', async () => {
  signedInAs(member());
  server.use(get('/api/admin/home', () => refusal(503, 'The database does not answer')));
  await openApp('/admin');
  expect(await screen.findByText('The database does not answer')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Try again' })).toBeVisible();
});

test('an Admin is told what the installation lacks, and can hide it', async () => {
  const data: HomeData = { ...home(), first_run: ['second_factor', 'schedule_backups'] };
  signedInAs(member());
  server.use(get('/api/admin/home', () => success({ data })));
  const user = await openApp('/admin');
  const first = await screen.findByRole('region', { name: 'Before you begin' });
  const steps = within(first).getAllByRole('listitem');
  expect(steps.map((step) => within(step).getByRole('strong').textContent)).toEqual([
    'Protect your sign-in',
    'Schedule backups',
  ]);
  expect(within(first).getByRole('link', { name: 'Sign-in Security' })).toBeVisible();
  await user.click(within(first).getByRole('button', { name: 'Hide' }));
  expect(screen.queryByRole('region', { name: 'Before you begin' })).toBeNull();
});
