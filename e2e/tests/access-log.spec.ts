import { readFile } from 'node:fs/promises';
import { open, row } from '../support/staffActions.ts';
import { expectAccessible, inspect } from '../support/visualChecks.ts';
import { STAFF } from '../support/staff.ts';
import { expect, readingTest, test } from '../support/test.ts';

test.use({ as: 'Admin' });

test('the access log shows who listed, searched and opened orders, and saves it as CSV', async ({
  page,
  server,
}) => {
  await server.importOrders([{ external_reference: 'ACCESS-1' }]);
  await server.call('Team', 'POST', 'admin/search-order', {
    folderName: 'newOrder',
    searchVal: 'ACCESS-1',
  });
  await page.goto('/admin/recent-order');
  await open(page, 'Traveller ACCESS-1');
  const id = (await page.getByRole('heading', { level: 1 }).innerText()).replaceAll(/\D/g, '');

  // The log is written within a second.
  await expect(async () => {
    await page.goto('/admin/access-log');
    await expect(row(page, 'Order opened').first()).toContainText(id);
  }).toPass();
  await expect(row(page, 'Orders searched').first()).toContainText(STAFF.Team.name);
  await expect(row(page, 'Orders searched').first()).toContainText('New Orders');
  await expect(page.getByRole('table')).not.toContainText('ACCESS-1');

  await page.getByLabel('Person').fill(STAFF.Team.name);
  await page.getByLabel('Action').selectOption('Orders searched');
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(row(page, 'Order opened')).toHaveCount(0);
  await expect(row(page, 'Orders searched').first()).toBeVisible();

  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download as CSV' }).click();
  const file = await downloading;
  expect(file.suggestedFilename()).toBe('access-log.csv');
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n');
  expect(lines[0]).toBe('Date & Time,Person,Action,Folder,Order,Search,Rows,IP Address');
  expect(lines.length).toBeGreaterThan(1);
  for (const line of lines.slice(1)) {
    expect(line).toContain(`,${STAFF.Team.name},order.search,newOrder,`);
  }

  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await expect(async () => {
    await page.goto('/admin/access-log');
    await expect(row(page, 'Access log downloaded').first()).toContainText(STAFF.Admin.name);
  }).toPass();
});

test('the access log fits every width', async ({ page, server }) => {
  await server.importOrders([{ external_reference: 'ACCESS-2' }]);
  const search = { folderName: 'allOrder', searchVal: 'traveller' };
  await server.call('Team', 'POST', 'admin/search-order', search);
  await server.call('Manager', 'POST', 'admin/search-order', { folderName: 'awaitingGovtOrder' });
  await expect(async () => {
    await page.goto('/admin/access-log');
    await expect(row(page, 'Awaiting Govt').first()).toBeVisible();
  }).toPass();
  await inspect(page, 'access-log');
  await page.goto('/admin/access-log?person=Nobody');
  await expect(page.getByText('No records found')).toBeVisible();
  await expectAccessible(page, 'an empty access log');
});

test.describe('a Manager', () => {
  test.use({ as: 'Manager' });

  readingTest('does not see the access log', async ({ page }) => {
    await page.goto('/admin');
    await expect(page.getByRole('link', { name: 'Manage Team' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Access Log' })).toHaveCount(0);
    await page.goto('/admin/access-log');
    await expect(page.getByText('Manager staff may not do this')).toBeVisible();
  });
});

test.describe('with a budget of five rows that stops members', () => {
  test.use({
    settings: {
      VISADESK_ACCESS__ROWS_PER_HOUR__TEAM: '5',
      VISADESK_ACCESS__STOP_AT_BUDGET: 'true',
    },
  });

  test('the dashboard names the member and leads to the access log', async ({ page, server }) => {
    await server.call('Team', 'POST', 'admin/search-order', { folderName: 'completedOrder' });
    const warning = page.getByRole('region', { name: 'Row budgets' });
    await expect(async () => {
      await page.goto('/admin');
      await expect(warning).toContainText(`${STAFF.Team.name} has seen 10 rows about customers`);
    }).toPass();
    await expect(warning).toContainText('and is stopped until the hour is over');
    await inspect(page, 'row-budgets');
    await warning.getByRole('link', { name: 'access log' }).click();
    await expect(row(page, 'Orders searched').first()).toContainText(STAFF.Team.name);
  });

  test.describe('a Team member', () => {
    test.use({ as: 'Team' });

    test('reads one page more than the budget, and then what to do', async ({ page }) => {
      await page.goto('/admin/completed-order');
      await expect(page.getByRole('row').nth(1)).toBeVisible();
      await page.reload();
      await expect(
        page.getByText(/Please wait \d+ minutes, or ask an Admin/).first(),
      ).toBeVisible();
    });
  });
});
