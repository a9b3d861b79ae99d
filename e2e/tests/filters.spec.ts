/** Filters, saved views and the order of lists, with the keyboard and through reloads. */

import { test } from '../support/colleague.ts';
import { expectToast, loadedRows, row } from '../support/staffActions.ts';
import { expect } from '../support/test.ts';
import { inspect, inspectState } from '../support/visualChecks.ts';

test.use({ as: 'Manager' });

const AWAITING = '/admin/awaiting-response';

/** Orders of two countries in Awaiting Customer. */
const ORDERS = ['Norway', 'Norwegian', 'Chile'].map((nationality, place) => ({
  external_reference: `FILTER-${place}`,
  full_name: `Filtered Person ${place}`,
  process_status: 'Awaiting',
  nationality,
}));

test('a list is filtered with the keyboard, its address keeps the filters, and chips remove them', async ({
  page,
  server,
}) => {
  await server.importOrders(ORDERS);
  await page.goto(AWAITING);
  await expect(row(page, 'Filtered Person 2')).toBeVisible();
  await page.getByRole('button', { name: 'Filter', exact: true }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Filter this list' });
  await dialog.getByLabel('Nationality').focus();
  await page.keyboard.type('Norway');
  await inspectState(page, 'filter-dialog');
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(loadedRows(page)).toHaveCount(2);
  await expect(page).toHaveURL(/nationality=Norway/);

  await page.reload();
  await expect(loadedRows(page)).toHaveCount(2);
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await dialog.getByLabel('Owner').selectOption('Unassigned');
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByRole('button', { name: 'Remove filter Unassigned' })).toBeVisible();
  await inspect(page, 'filtered-list');
  await page.goBack();
  await expect(page.getByRole('button', { name: 'Remove filter Unassigned' })).toBeHidden();
  await page.getByRole('button', { name: 'Remove filter Nationality: Norway' }).focus();
  await page.keyboard.press('Enter');
  await expect(row(page, 'Filtered Person 2')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Filter', exact: true })).toBeFocused();
});

test('a shared view is in the sidebar of all members, with its count', async ({
  page,
  server,
  colleague,
}) => {
  await server.importOrders(ORDERS);
  await page.goto(`${AWAITING}?nationality=Norway`);
  await page.getByRole('button', { name: 'Save view' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Save as a view' });
  await dialog.getByLabel('Name').fill('Norwegians');
  await dialog.getByLabel('Share it with all members').check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'status', 'The view has been saved');
  await expect(page.getByRole('button', { name: 'Delete view' })).toBeFocused();
  await expect(page.getByRole('link', { name: 'Norwegians 2' })).toBeVisible();
  await inspectState(page, 'saved-view');

  const other = await colleague('Team');
  await other.goto('/admin/recent-order');
  await other.getByRole('link', { name: 'Norwegians 2' }).click();
  await expect(loadedRows(other)).toHaveCount(2);
  await expect(other.getByRole('button', { name: 'Delete view' })).toBeHidden();
  await page.getByRole('button', { name: 'Delete view' }).click();
  await page.getByRole('button', { name: 'Yes, delete' }).click();
  await expectToast(page, 'status', 'The view has been deleted');
  await expect(page.getByRole('link', { name: /^Norwegians/ })).toBeHidden();
});

test('a list is read from its oldest order on', async ({ page }) => {
  await page.goto('/admin/completed-order');
  const title = page.getByRole('columnheader', { name: 'Date & Time' });
  await expect(loadedRows(page).first()).toBeVisible();
  const newest = await loadedRows(page).first().getByRole('cell').nth(1).innerText();
  await title.getByRole('button').focus();
  await page.keyboard.press('Enter');
  await expect(title).toHaveAttribute('aria-sort', 'ascending');
  await expect(loadedRows(page).first().getByRole('cell').nth(1)).not.toHaveText(newest);
  await inspectState(page, 'oldest-first');
});

test('a list is filtered by an open requirement, and the view of it is counted', async ({
  page,
  server,
}) => {
  await server.importOrders(ORDERS);
  await page.goto(AWAITING);
  await expect(row(page, 'Filtered Person 2')).toBeVisible();
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Filter this list' });
  await dialog.getByLabel('Nationality').fill('Norway');
  await dialog.getByLabel('Open requirement').selectOption('Documents missing');
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await expect(page).toHaveURL(/requirement=documents_missing/);
  await expect(page.getByRole('button', { name: 'Remove filter Documents missing' })).toBeVisible();
  await expect(loadedRows(page)).toHaveCount(2);
  await page.goto(`${AWAITING}?nationality=Norway&requirement=nothing`);
  await expect(page.getByText('No order in this folder matches the filters above.')).toBeVisible();
  await inspectState(page, 'filtered-by-requirement');
});

test('a filtered list says that a new order matches, and a reversed one says it on its last page', async ({
  page,
  server,
  colleague,
}) => {
  const iceland = (count: number, from = 0) =>
    Array.from({ length: count }, (_, place) => ({
      ...ORDERS[0],
      external_reference: `ICELAND-${from + place}`,
      full_name: `Icelander ${from + place}`,
      nationality: 'Iceland',
    }));
  await server.importOrders([...ORDERS, ...iceland(11)]);
  const other = await colleague('Team');
  await page.goto(`${AWAITING}?nationality=Norway`);
  await other.goto(`${AWAITING}?nationality=Iceland&sort=reversed&page=2`);
  await expect(loadedRows(page)).toHaveCount(2);
  await expect(loadedRows(other)).toHaveCount(1);

  const late = { external_reference: 'FILTER-LATE', full_name: 'Late Person' };
  await server.importOrders([{ ...ORDERS[0], ...late }, ...iceland(1, 11)]);
  const news = { name: '1 new order, show' };
  await page.getByRole('button', news).click();
  await expect(row(page, 'Late Person')).toBeVisible();
  await expect(loadedRows(page)).toHaveCount(3);
  await expect(page.getByRole('button', news)).toBeHidden();
  await other.getByRole('button', news).click();
  await expect(loadedRows(other)).toHaveCount(2);
  await expect(row(other, 'Icelander 11')).toBeVisible();
});

test('on a phone, a list is reversed with a button among its tools', async ({ page, server }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await server.importOrders(ORDERS);
  await page.goto(`${AWAITING}?nationality=Norway`);
  const first = page.getByRole('row').filter({ hasText: 'Filtered Person' }).first();
  await expect(first).toContainText('Filtered Person 1');
  const oldest = page.getByRole('button', { name: 'Oldest first' });
  await oldest.click();
  await expect(first).toContainText('Filtered Person 0');
  await expect(oldest).toHaveAttribute('aria-pressed', 'true');
  await inspectState(page, 'reversed-on-a-phone');
  await page.setViewportSize({ width: 390, height: 844 });
  await oldest.click();
  await expect(first).toContainText('Filtered Person 1');
  await expect(page).not.toHaveURL(/sort=/);
});
