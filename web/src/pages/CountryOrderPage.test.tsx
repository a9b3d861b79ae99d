import { screen, waitFor, within } from '@testing-library/react';
import { delay, HttpResponse } from 'msw';
import { expect, test, vi } from 'vitest';
import type { CountryOrders } from '@/api/types';
import * as clock from '@/ui/clock';
import { openApp, place } from '@/testing/openApp';
import { get, member, post, refusal, server, signedInAs, success } from '@/testing/server';

const CALL = '/api/admin/get-country-order-list';

const SPAIN = country('Spain', 1_200, 300, 40);
const JAPAN = country('Japan', 5, 2, 1);

function country(nationality: string, standard: number, priority: number, future: number) {
  const [standard_count, priority_count, future_count] = [standard, priority, future];
  const count = standard + priority + future;
  return { nationality, count, standard_count, priority_count, future_count };
}

/** Answers for the report; gives the days that were asked for. */
function countries(data: CountryOrders[]): unknown[] {
  const asked: unknown[] = [];
  server.use(
    post(CALL, async ({ request }) => {
      asked.push(await request.json());
      return success({ data });
    }),
  );
  return asked;
}

const cellsOf = (row: HTMLElement) =>
  within(row)
    .getAllByRole('cell')
    .map(({ textContent }) => textContent.trim());
const rows = () => within(screen.getByRole('table')).getAllByRole('row');

test('countries are listed with their totals, for the agency’s current month by default', async () => {
  vi.spyOn(clock, 'now').mockReturnValue(new Date('2026-11-30T17:30:00Z'));
  signedInAs(member({}));
  const asked = countries([SPAIN, JAPAN]);
  await openApp('/admin/country-order');
  await screen.findByText('Japan');
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
    'Country',
    'Order',
    'Standard Orders',
    'Priority Orders',
    'Future Orders',
  ]);
  expect(rows().slice(1).map(cellsOf)).toEqual([
    ['Spain', '1,540', '1,200', '300', '40'],
    ['Japan', '8', '5', '2', '1'],
    ['Total', '1,548', '1,205', '302', '41'],
  ]);
  // In Jakarta it is December already.
  expect(asked).toEqual([{ fromDate: '2026-12-01', toDate: '2026-12-01' }]);
});

test('Submit requests another period and puts it into the URL', async () => {
  signedInAs(member());
  const asked = countries([SPAIN]);
  const user = await openApp('/admin/country-order?from=2026-11-01&to=2026-11-30');
  await screen.findByText('Spain');
  await user.clear(screen.getByLabelText('From date'));
  await user.type(screen.getByLabelText('From date'), '05-10-2026');
  await user.click(screen.getByRole('button', { name: 'Submit' }));
  await waitFor(() =>
    expect(asked).toContainEqual({ fromDate: '2026-10-05', toDate: '2026-11-30' }),
  );
  expect(place()).toBe('/admin/country-order?from=2026-10-05&to=2026-11-30');
  await screen.findByText('Spain');
  await user.click(screen.getByRole('button', { name: 'Submit' }));
  await waitFor(() => expect(asked).toHaveLength(3));
});

test('another period need not wait for the first one', async () => {
  signedInAs(member());
  countries([SPAIN]);
  server.use(post(CALL, () => delay('infinite'), { once: true }));
  const user = await openApp('/admin/country-order?from=2026-11-01&to=2026-11-30');
  await user.clear(await screen.findByLabelText('From date'));
  await user.type(screen.getByLabelText('From date'), '05-10-2026');
  await user.click(screen.getByRole('button', { name: 'Submit' }));
  expect(await screen.findByText('Spain')).toBeVisible();
});

test('an invalid period is reported under the field and not sent', async () => {
  signedInAs(member());
  const asked = countries([SPAIN]);
  const user = await openApp('/admin/country-order?from=2026-11-01&to=2026-11-30');
  await screen.findByText('Spain');
  await user.clear(screen.getByLabelText('To date'));
  expect(await screen.findByText('Please choose the to date')).toBeVisible();
  await user.type(screen.getByLabelText('To date'), '01-10-2026');
  expect(await screen.findByText(/^The from date is after the to date/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Submit' }));
  await user.clear(screen.getByLabelText('To date'));
  await user.type(screen.getByLabelText('To date'), '02-11-2026');
  await waitFor(() => expect(screen.queryByText(/^The from date lies after/)).toBeNull());
  expect(asked).toHaveLength(1);
});

test('the search filters by nationality, and the totals are those of the shown rows', async () => {
  signedInAs(member());
  countries([SPAIN, JAPAN]);
  const user = await openApp('/admin/country-order');
  await screen.findByText('Spain');
  await user.type(screen.getByRole('searchbox', { name: 'Search by nationality' }), 'jap');
  await waitFor(() => expect(screen.queryByText('Spain')).toBeNull());
  expect(rows().slice(1).map(cellsOf)).toEqual([
    ['Japan', '8', '5', '2', '1'],
    ['Total', '8', '5', '2', '1'],
  ]);
  expect(place()).toContain('q=jap');
});

test('a period without orders says so', async () => {
  signedInAs(member());
  countries([]);
  await openApp('/admin/country-order');
  expect(await screen.findByText('No records found')).toBeVisible();
  expect(screen.getByText('No data available in table')).toBeVisible();
  expect(screen.queryByText('Total')).toBeNull();
});

test('a report that fails to load shows the reason and can be retried', async () => {
  signedInAs(member());
  countries([SPAIN]);
  server.use(post(CALL, () => refusal(422, 'Please choose other dates'), { once: true }));
  const user = await openApp('/admin/country-order');
  expect(await screen.findByText('Please choose other dates')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Spain')).toBeVisible();
});

test('with permission the report is saved as a file, with the token and for the shown period', async () => {
  signedInAs(member());
  countries([SPAIN]);
  const asked: (string | null)[] = [];
  server.use(
    get('/api/admin/country-orders-csv', ({ request }) => {
      asked.push(new URL(request.url).search, request.headers.get('Authorization'));
      return new HttpResponse('Country,Order\r\n', {
        headers: {
          'Content-Type': 'text/csv',
          'Content-Disposition': 'attachment; filename="country-orders.csv"',
        },
      });
    }),
  );
  const saved: string[] = [];
  URL.createObjectURL = (file) => `blob:${file instanceof Blob || 'size' in file}`;
  URL.revokeObjectURL = () => {};
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(
    this: HTMLAnchorElement,
  ) {
    saved.push(this.download);
  });
  const user = await openApp('/admin/country-order?from=2026-11-01&to=2026-11-30');
  await user.click(await screen.findByRole('button', { name: 'Download as CSV' }));
  await waitFor(() => expect(saved).toEqual(['country-orders.csv']));
  expect(asked).toEqual([
    '?fromDate=2026-11-01&toDate=2026-11-30',
    expect.stringMatching(/^head\./),
  ]);
});

test('a refused file shows the reason', async () => {
  signedInAs(member());
  countries([SPAIN]);
  server.use(get('/api/admin/country-orders-csv', () => refusal(403, 'You may not do this')));
  const user = await openApp('/admin/country-order');
  await user.click(await screen.findByRole('button', { name: 'Download as CSV' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('You may not do this');
});

test('without permission there is no button for files', async () => {
  signedInAs(member({}));
  countries([SPAIN]);
  await openApp('/admin/country-order');
  await screen.findByText('Spain');
  expect(screen.queryByRole('button', { name: 'Download as CSV' })).toBeNull();
});
