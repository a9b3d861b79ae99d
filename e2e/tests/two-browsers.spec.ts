/** Two members who work on the same order at the same time, each in a browser of their own. */

import type { Locator, Page } from '@playwright/test';

import { test } from '../support/colleague.ts';
import { STAFF } from '../support/staff.ts';
import { confirm, expectToast, open, row, select } from '../support/staffActions.ts';
import { expect } from '../support/test.ts';

test.use({ as: 'Team' });

// The member acts before the stream of changes says what the colleague did.
test.beforeEach(({ page }) => page.route('**/api/admin/live', () => {}));

const MANAGER = STAFF.Manager.name;

const action = (page: Page, name: string): Locator =>
  page.getByRole('region', { name: 'Actions' }).getByRole('button', { name, exact: true });
const remark = (page: Page): Locator => page.getByRole('textbox', { name: 'Add Comment Below' });

/** The id of the order on the screen, once it can be worked on. */
async function openedId(page: Page): Promise<string> {
  await expect(action(page, 'Completed Orders')).toBeVisible();
  return (await page.getByRole('heading', { level: 1 }).innerText()).replaceAll(/\D/g, '');
}

test('a move of an order that a colleague changed since is refused, and keeps what was typed', async ({
  page,
  server,
  colleague,
}) => {
  await server.importOrders([{ external_reference: 'BOTH-1' }]);
  await page.goto('/admin/recent-order');
  await open(page, 'Traveller BOTH-1');
  const id = await openedId(page);
  await remark(page).fill('Half a remark');

  const other = await colleague('Manager');
  await other.goto(page.url());
  await action(other, 'Customer Called').click();
  await expectToast(other, 'status', 'Order has been moved to Customer Called successfully');

  await action(page, 'Completed Orders').click();
  const refusal = `Nothing was changed: order ${id} was changed by ${MANAGER} at `;
  await expectToast(page, 'alert', new RegExp(`^${refusal}.+ Please check it and try again$`));
  // The screen now shows the colleague's move, and the same click is a decision about it.
  await expect(action(page, 'Customer Called')).toHaveCount(0);
  await expect(remark(page)).toHaveValue('Half a remark');
  await action(page, 'Completed Orders').click();
  await expectToast(page, 'status', 'Order has been moved to Completed successfully');
  await expect(remark(page)).toHaveValue('Half a remark');
});

test('an assignment from a list that a colleague was faster with is refused by name', async ({
  page,
  server,
  colleague,
}) => {
  await server.importOrders([{ external_reference: 'BOTH-2' }]);
  await page.goto('/admin/recent-order');
  await select(page, 'Traveller BOTH-2');

  const other = await colleague('Manager');
  await other.goto('/admin/recent-order');
  await select(other, 'Traveller BOTH-2');
  await other.getByRole('button', { name: 'Assign to me' }).click();
  await confirm(other, 'Are you sure want to assigned orders.');
  await expectToast(other, 'status', 'Order has been assigned successfully');

  await page.getByRole('button', { name: 'Assign to me' }).click();
  await confirm(page, 'Are you sure want to assigned orders.');
  await expectToast(page, 'alert', new RegExp(`is already assigned to ${MANAGER}`));
  await expect(row(page, 'Traveller BOTH-2')).toHaveCount(0);
});

test('an undo is refused when a colleague changed the order since', async ({
  page,
  server,
  colleague,
}) => {
  await server.importOrders([{ external_reference: 'BOTH-3' }]);
  await page.goto('/admin/recent-order');
  await open(page, 'Traveller BOTH-3');
  const id = await openedId(page);
  await action(page, 'Awaiting Govt').click();
  const toast = page.locator('.Toastify__toast').filter({ hasText: 'moved to Awaiting Govt' });
  // Its time stops below the pointer.
  await toast.hover();

  const other = await colleague('Manager');
  await other.goto(page.url());
  await action(other, 'Contact Customer').click();
  await expectToast(other, 'status', 'Order has been moved to Contact Customer successfully');

  await toast.getByRole('button', { name: 'Undo' }).click();
  const refusal = `Nothing was undone: order ${id} was changed by ${MANAGER} at `;
  await expectToast(page, 'alert', new RegExp(`^${refusal}`));
  await expect(action(page, 'Contact Customer')).toHaveCount(0);
  await expect(action(page, 'Awaiting Govt')).toBeVisible();
  await other.reload();
  await expect(action(other, 'Awaiting Govt')).toBeVisible();
  await expect(action(other, 'Contact Customer')).toHaveCount(0);
});
