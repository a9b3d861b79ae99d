import type { Page } from '@playwright/test';

import { expectToast, open, row, tabTo, typedDate } from '../support/staffActions.ts';
import { inspect } from '../support/visualChecks.ts';
import { agencyDay } from '../support/orders.ts';
import { STAFF } from '../support/staff.ts';
import { expect, readingTest, test } from '../support/test.ts';

const SCREEN = '/admin/processed-order';
/** Within the ten years that a report may cover. */
const LONG_AGO = agencyDay(-2000);
const YESTERDAY = agencyDay(-1);

/** How many orders the report says that the Admin completed. */
async function completedByAdmin(page: Page): Promise<number> {
  const answered = page.waitForResponse('**/api/admin/get-processed-by-count');
  await page.goto(SCREEN);
  await answered;
  await expect(page.getByText('Total').or(page.getByText('No records found'))).toBeVisible();
  const own = row(page, STAFF.Admin.name);
  if ((await own.count()) === 0) return 0;
  return Number((await own.getByRole('cell').last().innerText()).replaceAll(/\D/g, ''));
}

test.describe('an Admin', () => {
  test.use({ as: 'Admin' });

  test('sees how many orders each member completed, each order counted once', async ({
    page,
    server,
  }) => {
    await server.importOrders([{ external_reference: 'DONE-1' }]);
    const before = await completedByAdmin(page);
    await page.goto('/admin/recent-order');
    await open(page, 'Traveller DONE-1');
    const actions = page.getByRole('region', { name: 'Actions' });
    await actions.getByRole('button', { name: 'Completed Orders' }).click();
    await expectToast(page, 'status', /Completed/);
    await actions.getByRole('button', { name: 'Customer Called' }).click();
    await expectToast(page, 'status', /Customer Called/);
    await actions.getByRole('button', { name: 'Completed Orders' }).click();
    await expect(actions.getByRole('button', { name: 'Completed Orders' })).toHaveCount(0);

    expect(await completedByAdmin(page)).toBe(before + 1);
    await expect(page.getByRole('columnheader')).toHaveText([
      'Serial Number',
      'Name',
      'Order Count',
    ]);
    await expectToast(page, 'status', /processed on these days/);
    await page.getByRole('searchbox', { name: 'Search by name' }).fill('AYU');
    await expect(page.getByRole('row')).toHaveCount(3);
    await expect(row(page, 'Total')).toContainText(String(before + 1));
  });

  readingTest('chooses the period and a name with the keyboard alone', async ({ page }) => {
    await page.goto(SCREEN);
    await tabTo(page, page.getByLabel('From date'));
    await page.keyboard.type(typedDate(LONG_AGO));
    await tabTo(page, page.getByLabel('To date'));
    await page.keyboard.type(typedDate(YESTERDAY));
    const sent = page.waitForRequest('**/api/admin/get-processed-by-count');
    await tabTo(page, page.getByRole('button', { name: 'Submit' }));
    await page.keyboard.press('Enter');
    expect((await sent).postDataJSON()).toEqual({ fromDate: LONG_AGO, toDate: YESTERDAY });
    await expect(page).toHaveURL(new RegExp(`from=${LONG_AGO}&to=${YESTERDAY}`));
    await expect(row(page, 'Total')).toBeVisible();
    await page.keyboard.press('/');
    await page.keyboard.type('nobody of that name');
    await expect(page.getByText('No records found')).toBeVisible();
    await tabTo(page, page.getByRole('button', { name: 'Clear search' }));
    await page.keyboard.press('Enter');
    await expect(row(page, 'Total')).toBeVisible();
  });

  test('sees a report that fits every width', async ({ page, server }) => {
    await server.importOrders([{ external_reference: 'DONE-2' }]);
    await page.goto('/admin/recent-order');
    await open(page, 'Traveller DONE-2');
    await page.getByRole('button', { name: 'Completed Orders' }).click();
    await expectToast(page, 'status', /Completed/);
    await page.goto(`${SCREEN}?from=${LONG_AGO}`);
    await expect(row(page, STAFF.Admin.name)).toBeVisible();
    await inspect(page, 'processed-order');
  });
});

test.describe('a Manager', () => {
  test.use({ as: 'Manager' });

  readingTest('sees that the report is not for Managers', async ({ page }) => {
    await page.goto(SCREEN);
    await expectToast(page, 'alert', 'Manager staff may not do this');
    await expect(page.getByRole('link', { name: 'Order Processed' })).toHaveCount(0);
  });
});
