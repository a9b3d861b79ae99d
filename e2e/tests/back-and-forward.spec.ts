/** The browser's Back and Forward. */

import { agencyDay } from '../support/orders.ts';
import { open, openFolder, row, search } from '../support/staffActions.ts';
import { expect, test } from '../support/test.ts';

test.use({ as: 'Admin' });

test('Back and Forward go through lists, searches and orders', async ({ page, server }) => {
  await server.importOrders([{ external_reference: 'BACK-1' }]);
  const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name });
  await page.goto('/admin');
  await openFolder(page, 'Order History');
  await page.getByRole('button', { name: 'Page 3', exact: true }).click();
  await expect(page).toHaveURL('/admin/order-history?page=3');
  await expect(page.getByText(/^Showing 21 to 30/)).toBeVisible();
  await openFolder(page, 'New Orders');
  await search(page, 'Traveller BACK-1');
  await expect(page.getByRole('row')).toHaveCount(2);
  await open(page, 'Traveller BACK-1');

  await page.goBack();
  await expect(heading('New Orders')).toBeVisible();
  await expect(page.getByRole('searchbox')).toHaveValue('Traveller BACK-1');
  await expect(page.getByRole('row')).toHaveCount(2);
  await page.goBack();
  await expect(heading('Order History')).toBeVisible();
  await expect(page.getByText(/^Showing 21 to 30/)).toBeVisible();
  await page.goBack();
  await expect(page.getByText(/^Showing 1 to 10/)).toBeVisible();
  await page.goBack();
  await expect(heading('Dashboard')).toBeVisible();

  for (const [name, shown] of [
    ['Order History', /^Showing 1 to 10/],
    ['Order History', /^Showing 21 to 30/],
    ['New Orders', /^Showing 1 to 1 /],
  ] as const) {
    await page.goForward();
    await expect(heading(name)).toBeVisible();
    await expect(page.getByText(shown)).toBeVisible();
  }
  await page.goForward();
  await expect(heading(/^Order \d+/)).toBeVisible();
});

test('Back and Forward go through the periods of a report', async ({ page, server }) => {
  await server.importOrders([{ external_reference: 'ISLE-1', nationality: 'Tuvalu' }]);
  const from = agencyDay(-30);
  await page.goto('/admin/country-order');
  await expect(row(page, 'Tuvalu')).toBeVisible();
  await page.getByLabel('From date').fill('2001-01-01');
  await page.getByLabel('To date').fill('2001-01-02');
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText('No records found')).toBeVisible();
  await page.getByLabel('To date').fill(agencyDay(0));
  await page.getByLabel('From date').fill(from);
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(row(page, 'Tuvalu')).toBeVisible();

  await page.goBack();
  await expect(page.getByLabel('From date')).toHaveValue('01-01-2001');
  await expect(page.getByText('No records found')).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL('/admin/country-order');
  await expect(row(page, 'Tuvalu')).toBeVisible();
  await page.goForward();
  await page.goForward();
  await expect(page.getByLabel('From date')).toHaveValue(from.split('-').toReversed().join('-'));
  await expect(row(page, 'Tuvalu')).toBeVisible();
});
