/** The messages in the corner of the staff's screens. */

import type { Locator, Page } from '@playwright/test';

import { expect, test } from '../support/test.ts';

/** By when a toast has gone, also on a machine with much to do. */
const GONE_MS = 20_000;

test.use({ as: 'Team' });

/** Takes an order, which is told in a toast. */
async function bringToast(page: Page, order: string): Promise<Locator> {
  await page.goto('/admin/recent-order');
  await page.getByRole('row').filter({ hasText: order }).getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Assign to me' }).click();
  await page.getByRole('button', { name: 'Yes, assign' }).click();
  const toast = page.locator('.Toastify__toast').filter({ hasText: 'Order has been assigned' });
  await expect(toast).toBeVisible();
  return toast;
}

/** What measures how long it still stays: the toast goes when this bar has run out. */
const timer = (toast: Locator): Locator => toast.locator('.Toastify__progress-bar--animated');

test.beforeEach(async ({ server }) => {
  await server.importOrders([{ external_reference: 'TOLD-1' }]);
});

test('a toast is shown at the top right, light in dark mode too, and closes after five seconds', async ({
  page,
}) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  const toast = await bringToast(page, 'TOLD-1');
  await expect(timer(toast)).toHaveCSS('animation-duration', '5s');
  await expect(toast).toHaveCSS('background-color', 'rgb(255, 255, 255)');
  await toast.hover();
  const place = (await toast.boundingBox())!;
  expect(place.x + place.width).toBeGreaterThan(1440 - 40);
  expect(place.y).toBeLessThan(100);
  await page.mouse.move(100, 800);
  await expect(toast).toHaveCount(0, { timeout: GONE_MS });
});

test('a toast stays open under the pointer', async ({ page }) => {
  const toast = await bringToast(page, 'TOLD-1');
  await expect(timer(toast)).toHaveCSS('animation-play-state', 'running');
  await toast.hover();
  await expect(timer(toast)).toHaveCSS('animation-play-state', 'paused');
  await page.mouse.move(100, 800);
  await expect(timer(toast)).toHaveCSS('animation-play-state', 'running');
  await expect(toast).toHaveCount(0, { timeout: GONE_MS });
});

test('a toast stays open while another window has the focus', async ({ page }) => {
  const toast = await bringToast(page, 'TOLD-1');
  await expect(timer(toast)).toHaveCSS('animation-play-state', 'running');
  await page.evaluate(() => window.dispatchEvent(new Event('blur')));
  await expect(timer(toast)).toHaveCSS('animation-play-state', 'paused');
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(timer(toast)).toHaveCSS('animation-play-state', 'running');
  await expect(toast).toHaveCount(0, { timeout: GONE_MS });
});

test('a toast can be dragged away', async ({ page }) => {
  const toast = await bringToast(page, 'TOLD-1');
  await toast.hover({ position: { x: 10, y: 20 } });
  const { x, y } = (await toast.boundingBox())!;
  await page.mouse.down();
  await page.mouse.move(x + 340, y + 20, { steps: 10 });
  await page.mouse.up();
  // By itself it would stay longer: its time stood still under the pointer.
  await expect(toast).toHaveCount(0, { timeout: 3_000 });
});

test('a toast is shown above an open dialog, announced there, and clickable', async ({ page }) => {
  const toast = await bringToast(page, 'TOLD-1');
  await toast.hover();
  await page.keyboard.press('?');
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(dialog).toBeVisible();
  expect(await announced(page)).toContain('Order has been assigned successfully');
  // Playwright clicks nothing that is covered or inert.
  await toast.getByRole('button', { name: 'Undo' }).click();
  const undone = page.locator('.Toastify__toast').filter({ hasText: 'Order has been moved' });
  await expect(undone).toBeVisible();
  await dialog.getByRole('button', { name: 'OK' }).click();
  await expect(dialog).toBeHidden();
  await expect(undone).toBeVisible();
});

/** The texts that a screen reader is given. What a modal dialog makes inert is not among them. */
async function announced(page: Page): Promise<string[]> {
  const tools = await page.context().newCDPSession(page);
  const { nodes } = await tools.send('Accessibility.getFullAXTree');
  return nodes.filter(({ ignored }) => !ignored).map(({ name }) => String(name?.value ?? ''));
}
