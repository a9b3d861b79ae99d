/** Two tabs of one browser. */

import type { Locator, Page } from '@playwright/test';

import { expectToast, loadedRows, open } from '../support/staffActions.ts';
import { PASSWORD, STAFF } from '../support/staff.ts';
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
  await expect(history.getByRole('button', { name: /^Hide comment/ })).toHaveCount(2);
});

test('another member who signs in in a second tab takes the first tab over, without what was typed there', async ({
  page,
  context,
  server,
}) => {
  await server.importOrders([{ external_reference: 'TABS-2' }]);
  await page.goto('/admin/recent-order');
  await open(page, 'Traveller TABS-2');
  const order = page.url();
  await remark(page).fill('Typed by Budi');

  const other = await context.newPage();
  await other.goto('/admin');
  await other.getByRole('button', { name: `Welcome, ${STAFF.Team.name}` }).click();
  await other.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await other.getByLabel('Email ID').fill(STAFF.Manager.email);
  await other.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await other.getByRole('button', { name: 'Sign In' }).click();
  await expect(other.getByText(`Welcome, ${STAFF.Manager.name}`)).toBeVisible();

  await expect(page.getByText(`Welcome, ${STAFF.Manager.name}`)).toBeVisible();
  await page.goto(order);
  await expect(remark(page)).toHaveValue('');
  await remark(page).fill('Typed by Made');
  await page.getByRole('button', { name: 'Save Comment' }).click();
  await expectToast(page, 'status', 'The remark has been added successfully');
  const entry = page.getByRole('region', { name: 'Comment History' }).getByRole('row').nth(1);
  await expect(entry).toContainText(STAFF.Manager.name);
});

test('a login that another tab replaced is the one that the first tab acts with', async ({
  page,
  context,
  server,
}) => {
  await server.importOrders([{ external_reference: 'TABS-3' }]);
  await page.goto('/admin/recent-order');
  await open(page, 'Traveller TABS-3');
  await remark(page).fill('Typed by Budi');

  // A second tab that still showed the sign-in stores the login of the other member, without a sign-out before.
  const accessToken = await server.signIn('Manager');
  const other = await context.newPage();
  await other.goto('/track-order/MjAwMDAy');
  await other.evaluate(
    (user) => localStorage.setItem('user', user),
    JSON.stringify({ accessToken }),
  );

  await expect(page.getByText(`Welcome, ${STAFF.Manager.name}`)).toBeVisible();
  await expect(page.getByText(STAFF.Team.name)).toHaveCount(0);
  await expect(remark(page)).toHaveValue('');
  await page.getByRole('button', { name: 'Assign to me' }).click();
  await page.getByRole('button', { name: 'Yes, assign' }).click();
  await expect(page.getByText(`Assigned to ${STAFF.Manager.name}`)).toBeVisible();
});
