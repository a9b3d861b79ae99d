/** Two members who work at the same time see what the other does. */

import { test } from '../support/colleague.ts';
import { confirm, expectToast, row, select, sidebarCount } from '../support/staffActions.ts';
import { expect } from '../support/test.ts';
import { encoded } from '../support/visitor.ts';
import { inspectState } from '../support/visualChecks.ts';

test.use({ as: 'Team' });

/** An order that arrives while the lists are open. */
const LATE = { external_reference: 'LATE-1', full_name: 'Wilhelmina Aurelia Okonkwo-Oyarzábal' };

test('an order that arrives waits above the list, and one that a colleague takes says that it left', async ({
  page,
  server,
  colleague,
}) => {
  const other = await colleague('Manager');
  for (const desk of [page, other]) await desk.goto('/admin/recent-order');
  for (const desk of [page, other]) await expect(row(desk, 'View').first()).toBeVisible();
  const before = await sidebarCount(page, 'New Orders');
  const first = await page.getByRole('row').nth(1).innerText();

  await server.importOrders([LATE]);
  const news = page.getByRole('button', { name: '1 new order, show' });
  await expect(news).toBeVisible();
  await expect.poll(() => sidebarCount(page, 'New Orders')).toBe(before + 1);
  expect(await page.getByRole('row').nth(1).innerText(), 'no row moves by itself').toBe(first);
  await inspectState(page, 'new-orders-wait');
  await news.click();
  await expect(row(page, LATE.full_name)).toBeVisible();
  await expect(news).toBeHidden();

  await other.getByRole('button', { name: '1 new order, show' }).click();
  await expect(row(other, LATE.full_name)).toBeVisible();
  await select(page, LATE.full_name);
  await page.getByRole('button', { name: 'Assign to me' }).click();
  await confirm(page, 'Are you sure want to assigned orders.');
  await expectToast(page, 'status', 'Order has been assigned successfully');
  await expect(row(other, LATE.full_name)).toContainText('No longer in this list');
  await expect.poll(() => sidebarCount(other, 'New Orders')).toBe(before);
  await inspectState(other, 'taken-by-a-colleague');
});

test('an order is handed over with a note, and its new owner finds it in the inbox and in the lists', async ({
  page,
  server,
  colleague,
}) => {
  await server.importOrders([{ ...LATE, process_status: 'Awaiting' }]);
  const { orderId } = await server.findOrder('awaitingOrder', 'late-1@');
  const made = await colleague('Manager');
  await made.goto('/admin/awaiting-response');
  await page.goto(`/admin/view-order/${encodeURIComponent(encoded(orderId))}`);
  await expect(page.getByRole('button', { name: 'Assign to me' })).toBeVisible();
  await page.keyboard.press('a');
  await confirm(page, 'Are you sure want to assigned orders.');
  const listed = row(made, LATE.full_name);
  const owner = (await page.getByText(/^Welcome, /).innerText()).replace('Welcome, ', '');
  await expect(listed).toContainText(owner);

  await page.keyboard.press('m');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Hand over/ })
    .click();
  const question = page.getByRole('dialog', { name: `Hand over order ${orderId}` });
  const heir = (await made.getByText(/^Welcome, /).innerText()).replace('Welcome, ', '');
  await question.getByLabel('Colleague').selectOption(heir);
  await question.getByLabel('Note (optional)').fill('She asked for you, please call her today');
  await inspectState(page, 'hand-over');
  await question.getByRole('button', { name: 'Hand over' }).click();
  await expectToast(page, 'status', `Order has been handed over to ${heir} successfully`);
  await expect(listed).toContainText(heir);

  await made.getByRole('button', { name: 'Inbox, 1 unread' }).click();
  const inbox = made.getByRole('dialog', { name: 'Inbox' });
  await expect(inbox).toContainText(`${owner} gave you order ${orderId}`);
  await expect(inbox).toContainText('She asked for you, please call her today');
  await inspectState(made, 'inbox');
  await inbox.getByRole('link', { name: `order ${orderId}` }).click();
  await expect(made.getByRole('heading', { name: `Order ${orderId}` })).toBeVisible();
  await expect(made.getByRole('button', { name: 'Inbox', exact: true })).toBeVisible();
});

test('a connection that is broken is named until it is back', async ({ page }) => {
  const live = '**/api/admin/live*';
  await page.route(live, (route) => route.fulfill({ contentType: 'text/event-stream', body: '' }));
  await page.goto('/admin/recent-order');
  const broken = page.getByRole('status').filter({ hasText: 'Reconnecting…' });
  await expect(broken).toBeVisible();
  await inspectState(page, 'reconnecting');
  await page.unroute(live);
  await expect(broken).toBeHidden();
});
