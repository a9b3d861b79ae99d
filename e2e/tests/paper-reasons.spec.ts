/** Admins change the reasons with which applicants are asked for papers. */

import { expectToast } from '../support/staffActions.ts';
import { expect, test } from '../support/test.ts';
import { inspect, inspectState } from '../support/visualChecks.ts';

test.use({ as: 'Admin' });

test('a reason is added in two languages, and one is no longer offered', async ({ page }) => {
  await page.goto('/admin/paper-reasons');
  await expect(page.getByText('16 offered')).toBeVisible();
  await inspect(page, 'paper-reasons');

  await page.getByRole('button', { name: 'Add a reason' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('The document is').selectOption('Unreadable');
  await dialog.getByLabel('Passport').check();
  await dialog.getByLabel('English').fill('The page with the photo is torn.');
  await dialog.getByLabel('العربية').fill('الصفحة ممزقة.');
  await inspectState(page, 'paper-reasons-dialog');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'status', 'The reason has been saved');
  await expect(page.getByText('17 offered')).toBeVisible();
  await expect(page.getByRole('row', { name: /is torn/ })).toContainText('Passport');

  await page.getByRole('button', { name: 'Change: It has expired.' }).focus();
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'No longer offer' }).click();
  await expectToast(page, 'status', 'The reason is no longer offered');
  await expect(page.getByRole('row', { name: /It has expired/ })).toContainText('Not offered');
});
