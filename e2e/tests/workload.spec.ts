/** A Manager moves the work of a member to another one. */

import { expectToast, row, undoChange } from '../support/staffActions.ts';
import { STAFF } from '../support/staff.ts';
import { expect, signInAs, test } from '../support/test.ts';
import { inspect, inspectState } from '../support/visualChecks.ts';

test.use({ as: 'Team' });

const BUDI = STAFF.Team.name;
const CITRA = STAFF.Telecaller.name;

test('twenty orders of a member are moved with two clicks, and back', async ({ page, server }) => {
  const orders = Array.from({ length: 25 }, (_, index) => ({
    external_reference: `LOAD-${index + 1}`,
    full_name: `Traveller LOAD ${index + 1}`,
  }));
  await server.importOrders(orders);
  await page.goto('/admin/recent-order?limit=25');
  await expect(row(page, 'Traveller LOAD 1').first()).toBeVisible();
  await page.getByRole('checkbox', { name: 'Select all' }).check();
  await page.getByRole('button', { name: 'Assign to me' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Yes, assign' }).click();
  await expectToast(page, 'status', 'assigned successfully');

  await signInAs(page, server, 'Manager');
  await page.goto('/admin');
  await page.getByRole('link', { name: 'Workload' }).click();
  await expect(row(page, BUDI)).toContainText('New');
  const count = async (name: string) =>
    Number(await row(page, name).getByRole('cell').nth(1).innerText());
  const [had, citras] = [await count(BUDI), await count(CITRA)];
  expect(had).toBeGreaterThanOrEqual(20);
  await inspect(page, 'workload');

  await page.getByRole('button', { name: `Move 20 oldest of ${BUDI}` }).click();
  await expect(page.getByText(`Choose who gets the 20 oldest orders of ${BUDI}`)).toBeVisible();
  await page.getByRole('button', { name: `Give to ${CITRA}` }).click();
  await expect(page.getByText('Please say why')).toBeVisible();
  await inspectState(page, 'workload-needs-a-note');
  await page.getByLabel('Why').fill('Budi is ill today');
  await page.getByRole('button', { name: `Give to ${CITRA}` }).click();
  const moved = `20 orders have been reassigned to ${CITRA} successfully`;
  await expectToast(page, 'status', moved);
  await expect(row(page, CITRA).getByRole('cell').nth(1)).toHaveText(String(citras + 20));
  await expect(row(page, BUDI).getByRole('cell').nth(1)).toHaveText(String(had - 20));
  await expect(page.getByLabel('Why')).toHaveValue('Budi is ill today');
  await undoChange(page, moved);
  await expect(row(page, BUDI).getByRole('cell').nth(1)).toHaveText(String(had));
});
