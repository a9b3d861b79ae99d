import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { closeApp, openApp, place } from '@/testing/openApp';
import {
  get,
  member,
  orderNumber,
  post,
  refusal,
  server,
  signedInAs,
  success,
} from '@/testing/server';

afterEach(() => {
  vi.useRealTimers();
});

test.each([
  ['2026-12-31T16:59:00Z', '2026'],
  ['2026-12-31T17:01:00Z', '2027'],
])('at %s the year of the agency in Jakarta is %s', async (instant, year) => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(instant) });
  signedInAs(member());
  server.use(get('/api/admin/get-future-order-counts', () => success({ data: [] })));
  await openApp('/admin/future-order');
  expect(await screen.findByText(year, { selector: 'strong' })).toBeVisible();
});

test('twelve months show their counts, and each opens its list with a way back', async () => {
  signedInAs(member({}));
  const asked: string[] = [];
  const searched: unknown[] = [];
  const march2027 = {
    start: 0,
    end: 10,
    searchVal: 'lin',
    folderName: 'futureOrder',
    month: 'March',
    year: 2027,
  };
  server.use(
    get('/api/admin/get-future-order-counts', ({ request }) => {
      asked.push(new URL(request.url).search);
      return success({ data: [{ month: 'March', count: 4 }] });
    }),
    get('/api/admin/get-orders-list/futureOrder', ({ request }) => {
      asked.push(new URL(request.url).search);
      const march = { process_month: 'March', processing_date: '2027-03-09' };
      const data = [orderNumber(100234, march)];
      return success({ data, total: 1, more: false, page: 1, limit: 10 });
    }),
    post('/api/admin/search-order', async ({ request }) => {
      searched.push(await request.json());
      return success({ data: [], total: 0, more: false, page: 1, limit: 10 });
    }),
  );
  const user = await openApp('/admin/future-order?year=2027');
  const main = within(await screen.findByRole('main'));
  const march = await main.findByRole('link', { name: 'Mar 4' });
  expect(march.querySelector('svg')).not.toBeNull();
  expect(main.getByRole('link', { name: 'Apr 0' }).querySelector('svg')).toBeNull();
  await user.click(march);
  expect(main.getAllByRole('heading')[0]).toHaveTextContent('Future Order: March 2027');
  expect(await screen.findByText('09-03-2027')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Delete 100234' })).toBeVisible();
  expect(asked).toEqual([
    '?year=2027',
    '?page=1&limit=10&delay=1&userName=Ayu%20Lestari&month=March&year=2027',
  ]);
  await user.type(screen.getByRole('searchbox', { name: 'Search this month' }), 'lin');
  await waitFor(() => expect(searched).toContainEqual(march2027));
  await user.click(screen.getByRole('link', { name: 'Back' }));
  expect(await main.findAllByRole('listitem')).toHaveLength(12);
  expect(place()).toBe('/admin/future-order?year=2027');
});

test('the years can be turned', async () => {
  signedInAs(member());
  server.use(get('/api/admin/get-future-order-counts', () => success({ data: [] })));
  const user = await openApp('/admin/future-order?year=2027');
  await user.click(await screen.findByRole('button', { name: 'Year 2028' }));
  expect(place()).toBe('/admin/future-order?year=2028');
});

test('with permission the counts of the year are saved as a file', async () => {
  signedInAs(member());
  const asked: string[] = [];
  server.use(
    get('/api/admin/get-future-order-counts', () => success({ data: [] })),
    get('/api/admin/future-orders-csv', ({ request }) => {
      asked.push(new URL(request.url).search);
      return refusal(429, 'Please wait a moment');
    }),
  );
  const user = await openApp('/admin/future-order?year=2027');
  await user.click(await screen.findByRole('button', { name: 'Download as CSV' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('Please wait a moment');
  expect(asked).toEqual(['?year=2027']);
  closeApp();
  signedInAs(member({}));
  await openApp('/admin/future-order?year=2027');
  expect(await screen.findByRole('button', { name: 'Year 2028' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Download as CSV' })).toBeNull();
});
