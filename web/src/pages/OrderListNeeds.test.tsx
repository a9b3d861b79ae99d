import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { openApp } from '@/testing/openApp';
import { LIST, rowOf } from '@/testing/openList';
import { get, member, orderNumber, post, server, signedInAs, success } from '@/testing/server';

const page = (numbers: number[]) =>
  success({
    data: numbers.map((number) => orderNumber(number)),
    total: numbers.length,
    more: false,
    page: 1,
    limit: 10,
  });

test('a list of orders that need a member of staff says so, is searched, and leads to all orders', async () => {
  signedInAs(member());
  const searched: unknown[] = [];
  server.use(
    get(LIST, ({ request }) => {
      const needs = new URL(request.url).searchParams.get('needs');
      return page(needs === 'untouched' ? [100234] : [100234, 100235]);
    }),
    post('/api/admin/search-order', async ({ request }) => {
      searched.push(await request.json());
      return page([]);
    }),
  );
  const user = await openApp('/admin/order-history?needs=untouched&page=1');
  await rowOf(100234);
  expect(screen.queryByRole('row', { name: /100235/ })).toBeNull();
  expect(screen.getByText('Only: Untouched for three days')).toBeVisible();

  await user.type(screen.getByRole('searchbox'), 'emily');
  expect(await screen.findByText('Nothing in this list matches “emily”.')).toBeVisible();
  expect(searched.at(-1)).toMatchObject({ searchVal: 'emily', needs: 'untouched' });
  await user.clear(screen.getByRole('searchbox'));
  await rowOf(100234);

  await user.click(screen.getByRole('button', { name: 'Show all orders' }));
  await rowOf(100235);
  expect(screen.queryByText(/^Only:/)).toBeNull();
});

test('with a need, ChargeBack has no order of its own to choose, and an empty list says what is done', async () => {
  signedInAs(member());
  const asked: string[] = [];
  server.use(
    get(LIST, ({ request }) => {
      asked.push(new URL(request.url).search);
      return page([]);
    }),
  );
  await openApp('/admin/chargeback?needs=emails');
  expect(await screen.findByText('Every email was sent.')).toBeVisible();
  expect(screen.queryByRole('group', { name: 'Order of the list' })).toBeNull();
  await waitFor(() => expect(asked).toHaveLength(1));
  expect(Object.fromEntries(new URLSearchParams(asked[0]))).toMatchObject({ needs: 'emails' });
  expect(asked[0]).not.toContain('sort');
});
