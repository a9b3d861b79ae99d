/** Two tabs of one browser. */

import type { Locator, Page } from '@playwright/test';

import { expectToast, loadedRows, open } from '../support/staffActions.ts';
import { expect, test } from '../support/test.ts';

test.use({ as: 'Team' });

const remark = (page: Page): Locator => page.getByRole('textbox', { name: 'Add Comment Below' });

test('Logout in one tab ends the other', async ({ page, context }) => {
  await page.goto('/admin/recent-order');
  await expect(loadedRows(page)).toHaveCount(10);
  const other = await context.newPage();
  await other.goto('/admin');
  await other
    .getByRole('navigation', { name: 'Main' })
    .getByRole('button', { name: 'Logout' })
    .click();
  await expect(other.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('row')).toHaveCount(0);
});

test('work in another tab keeps the draft of this one', async ({ page, context, server }) => {
  await server.importOrders([{ external_reference: 'TABS-1' }]);
  await page.goto('/admin/recent-order');
  await open(page, 'Traveller TABS-1');
  await remark(page).fill('Typed in the first tab');

  const other = await context.newPage();
  await other.goto(page.url());
  await expect(remark(other)).toHaveValue('');
  await remark(other).fill('Saved in the second tab');
  await other.getByRole('button', { name: 'Save Comment' }).click();
  await expectToast(other, 'status', 'The remark has been added successfully');
  await other.getByRole('button', { name: 'Customer Called' }).click();
  await expectToast(other, 'status', 'Order has been moved to Customer Called successfully');
  await other.close();

  await expect(remark(page)).toHaveValue('Typed in the first tab');
  await page.reload();
  await expect(remark(page)).toHaveValue('Typed in the first tab');
  await page.getByRole('button', { name: 'Save Comment' }).click();
  await expectToast(page, 'status', 'The remark has been added successfully');
  const history = page.getByRole('region', { name: 'Comment History' });
  await expect(history.getByRole('button', { name: /^Show comment/ })).toHaveCount(2);
});
