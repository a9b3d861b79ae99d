/** The toasts of the staff screens. */

import type { Locator, Page } from '@playwright/test';

import { expect, test } from '../support/test.ts';

test.use({ as: 'Team' });

/** Assigns an order, which shows a toast. */
async function assign(page: Page, order: string): Promise<void> {
  await page.goto('/admin/recent-order');
  await page.getByRole('row').filter({ hasText: order }).getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Assign to me' }).click();
  await page.getByRole('button', { name: 'Yes, assign' }).click();
}

/** Assigns an order, and waits for its toast. */
async function openToast(page: Page, order: string): Promise<Locator> {
  await assign(page, order);
  const toast = page.locator('.Toastify__toast').filter({ hasText: 'Order has been assigned' });
  await expect(toast).toBeVisible();
  // Until it has slid in, a pointer that stands on it may be beside it a moment later.
  await toast.evaluate((it) => Promise.all(it.getAnimations().map(({ finished }) => finished)));
  return toast;
}

/** The bar of a toast, which closes when its animation ends. */
const timer = (toast: Locator): Locator => toast.locator('.Toastify__progress-bar--animated');

/** Brings the time of a toast, which must run, to its end. */
async function expectToClose(toast: Locator): Promise<void> {
  await expect(timer(toast)).toHaveCSS('animation-play-state', 'running');
  await timer(toast).evaluate((bar) => bar.getAnimations().forEach((it) => it.finish()));
  await expect(toast).toHaveCount(0);
}

test.beforeEach(async ({ server }) => {
  await server.importOrders([{ external_reference: 'TOAST-1' }]);
});

test('a toast is shown at the top right, light in dark mode too, and closes after five seconds', async ({
  page,
}) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  const toast = await openToast(page, 'TOAST-1');
  await expect(timer(toast)).toHaveCSS('animation-duration', '5s');
  await expect(toast).toHaveCSS('background-color', 'rgb(255, 255, 255)');
  await toast.hover();
  const place = (await toast.boundingBox())!;
  expect(place.x + place.width).toBeGreaterThan(1440 - 40);
  expect(place.y).toBeLessThan(100);
  await page.mouse.move(100, 800);
  await expectToClose(toast);
});

test('a toast stays open under the pointer', async ({ page }) => {
  const toast = await openToast(page, 'TOAST-1');
  await expect(timer(toast)).toHaveCSS('animation-play-state', 'running');
  await toast.hover();
  await expect(timer(toast)).toHaveCSS('animation-play-state', 'paused');
  await page.mouse.move(100, 800);
  await expectToClose(toast);
});

test('a toast that arrives below the pointer stays open', async ({ page }) => {
  // However slow the test is, the pointer is there before the arrival has ended.
  await page.addInitScript(() =>
    document.addEventListener('animationstart', ({ target }) => {
      if (!(target instanceof Element) || !target.matches('.Toastify__toast[data-in="true"]'))
        return;
      for (const arrival of target.getAnimations()) {
        arrival.pause();
        arrival.currentTime = Number(arrival.effect!.getTiming().duration) - 1;
      }
    }),
  );
  await assign(page, 'TOAST-1');
  const toast = page.locator('.Toastify__toast').filter({ hasText: 'Order has been assigned' });
  await expect(toast).toHaveClass(/Toastify--animate/);
  await toast.hover();
  await toast.evaluate((it) => it.getAnimations().forEach((arrival) => arrival.finish()));
  await expect(toast).not.toHaveClass(/Toastify--animate/);
  await expect(timer(toast)).toHaveCSS('animation-play-state', 'paused');
  await page.mouse.move(100, 800);
  await expectToClose(toast);
});

test('a toast stays open while another window has the focus', async ({ page }) => {
  const toast = await openToast(page, 'TOAST-1');
  await expect(timer(toast)).toHaveCSS('animation-play-state', 'running');
  await page.evaluate(() => window.dispatchEvent(new Event('blur')));
  await expect(timer(toast)).toHaveCSS('animation-play-state', 'paused');
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expectToClose(toast);
});

test('a toast can be dragged away', async ({ page }) => {
  const toast = await openToast(page, 'TOAST-1');
  await toast.hover({ position: { x: 10, y: 20 } });
  const { x, y } = (await toast.boundingBox())!;
  await page.mouse.down();
  await page.mouse.move(x + 340, y + 20, { steps: 10 });
  await page.mouse.up();
  // It would stay longer by itself: its timer was paused under the pointer.
  await expect(toast).toHaveCount(0, { timeout: 3_000 });
});

test('on a phone the buttons of a toast are large enough for a finger', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 900 });
  const toast = await openToast(page, 'TOAST-1');
  await toast.hover();
  for (const name of ['Undo', 'close']) {
    const { width, height } = (await toast.getByRole('button', { name }).boundingBox())!;
    expect(Math.min(width, height), name).toBeGreaterThanOrEqual(44);
  }
});

test('a toast is shown above an open dialog, announced there, and clickable', async ({ page }) => {
  const toast = await openToast(page, 'TOAST-1');
  await toast.hover();
  await page.keyboard.press('?');
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(dialog).toBeVisible();
  expect(await announced(page)).toContain('Order has been assigned successfully');
  // Playwright clicks nothing that is covered or inert.
  await toast.getByRole('button', { name: 'Undo' }).click();
  const undone = page.locator('.Toastify__toast').filter({ hasText: 'Undone: order' });
  await expect(undone).toBeVisible();
  await dialog.getByRole('button', { name: 'OK' }).click();
  await expect(dialog).toBeHidden();
  await expect(undone).toBeVisible();
});

/** The texts in the accessibility tree, which excludes what a modal dialog makes inert. */
async function announced(page: Page): Promise<string[]> {
  const tools = await page.context().newCDPSession(page);
  const { nodes } = await tools.send('Accessibility.getFullAXTree');
  return nodes.filter(({ ignored }) => !ignored).map(({ name }) => String(name?.value ?? ''));
}
