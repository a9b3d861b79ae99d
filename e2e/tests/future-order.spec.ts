import { confirm, expectToast, row, search } from '../support/staffActions.ts';
import { inspect } from '../support/visualChecks.ts';
import { agencyDay, daysAhead, monthOf } from '../support/orders.ts';
import { expect, readingTest, test } from '../support/test.ts';

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

test.use({ as: 'Night Staff' });

test('twelve tiles count the orders of their month, and each opens its list with a way back', async ({
  page,
  server,
}) => {
  const date = daysAhead(400);
  const { year, month } = monthOf(date);
  await server.importOrders([
    { external_reference: 'LATER-1', processing_date: date, process_status: 'Future' },
    { external_reference: 'LATER-2', processing_date: date, process_status: 'Future' },
  ]);

  await page.goto(`/admin/future-order?year=${year}`);
  const tiles = page.getByRole('main').getByRole('listitem');
  await expect(tiles).toHaveCount(12);
  await expect(tiles).toContainText(MONTHS);
  const tile = tiles.filter({ hasText: month.slice(0, 3) });
  await expect(tile).toContainText(/\d/);
  const count = Number((await tile.innerText()).replaceAll(/\D/g, ''));
  expect(count).toBeGreaterThanOrEqual(2);

  await tile.getByRole('link').click();
  await expect(page.getByRole('columnheader')).toHaveText([
    '',
    'Order ID',
    'Name',
    'Email',
    'Telephone',
    'Date and Time',
    'Processing Date',
    'Process Month',
    'Status',
    'Action',
  ]);
  await expect(row(page, 'Traveller LATER-1')).toContainText(month);
  await search(page, 'LATER-2', 'Search this month');
  await expect(row(page, 'Traveller LATER-2')).toBeVisible();
  await expect(row(page, 'Traveller LATER-1')).toHaveCount(0);
  await page.getByRole('link', { name: 'Back', exact: true }).click();
  await expect(tiles).toHaveCount(12);
});

readingTest('the years can be turned, starting from the current one', async ({ page }) => {
  await page.goto('/admin/future-order');
  const year = Number(agencyDay(0).slice(0, 4));
  await page.getByRole('button', { name: `Year ${year + 1}` }).click();
  await expect(page).toHaveURL(new RegExp(`year=${year + 1}`));
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(12);
});

test('every member may delete a future order, after confirming', async ({ page, server }) => {
  const date = daysAhead(800);
  const { year, month } = monthOf(date);
  await server.importOrders([
    { external_reference: 'NEVER-1', processing_date: date, process_status: 'Future' },
  ]);
  await page.goto(`/admin/future-order?year=${year}&month=${month}`);
  await row(page, 'Traveller NEVER-1')
    .getByRole('button', { name: /^Delete/ })
    .click();
  await confirm(page, 'Are you sure you want to delete?');
  await expectToast(page, 'status', 'Order has been deleted successfully');
  await expect(row(page, 'NEVER-1')).toHaveCount(0);
});

readingTest('the months fit every width', async ({ page }) => {
  await page.goto('/admin/future-order');
  await expect(page.getByRole('main').getByRole('listitem').first()).toContainText(/\d/);
  await inspect(page, 'future');
});
