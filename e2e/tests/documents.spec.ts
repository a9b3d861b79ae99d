import type { Locator, Page } from '@playwright/test';

import { withPdfViewer } from '../support/browser.ts';
import { expect, test } from '../support/test.ts';

/** How long the server's signed links are valid. */
const LINK_LIFE_SECONDS = 300;

test.use({ as: 'Team', ...withPdfViewer });

const viewer = (page: Page): Locator => page.getByRole('region', { name: 'Documents' });
const button = (page: Page, name: string): Locator =>
  viewer(page).getByRole('button', { name, exact: true });

/** Whether the image on the screen has arrived. */
const isLoaded = (image: Locator): Promise<boolean> =>
  image.evaluate((element: HTMLImageElement) => element.complete && element.naturalWidth > 0);

test.beforeEach(async ({ page }) => {
  await page.goto('/admin/completed-order');
  await page.getByRole('link', { name: /^View/ }).first().click();
  await expect(viewer(page)).toBeVisible();
});

test('documents are shown beside the data, and can be zoomed and rotated', async ({ page }) => {
  await viewer(page).getByRole('button', { name: 'Photo', exact: true }).click();
  const image = viewer(page).getByRole('img', { name: 'Photo' });
  await expect.poll(() => isLoaded(image)).toBe(true);
  const before = (await image.boundingBox())!;
  await button(page, 'Zoom in').click();
  await button(page, 'Zoom in').click();
  await expect
    .poll(async () => (await image.boundingBox())!.width)
    .toBeGreaterThan(before.width * 1.9);
  await page.keyboard.press('Shift+Z');
  await page.keyboard.press('Shift+Z');
  await button(page, 'Rotate').click();
  const turned = (await image.boundingBox())!;
  expect(turned.width).toBeCloseTo(before.width, -1);
  expect(await image.evaluate((element) => getComputedStyle(element).rotate)).toBe('90deg');
});

test('the viewer enters and leaves full screen', async ({ page }) => {
  await button(page, 'Full screen').click();
  await expect
    .poll(() => page.evaluate(() => document.fullscreenElement?.ariaLabel))
    .toBe('Documents');
  await button(page, 'Leave full screen').click();
  await expect(button(page, 'Full screen')).toBeVisible();
});

test('a PDF shows in its frame', async ({ page }) => {
  const frame = viewer(page).getByTitle('Travel document', { exact: true });
  await expect(frame).toBeVisible();
  // The frame holds a PDF, not the text of a refusal.
  await expect
    .poll(() =>
      frame.evaluate((element: HTMLIFrameElement) => element.contentDocument?.contentType),
    )
    .toBe('application/pdf');
});

test('the keys . and , switch between documents', async ({ page }) => {
  await expect(viewer(page).getByText(/^1 of \d+$/)).toBeVisible();
  await page.keyboard.press('.');
  await expect(viewer(page).getByText(/^2 of \d+$/)).toBeVisible();
  await page.keyboard.press(',');
  await expect(viewer(page).getByText(/^1 of \d+$/)).toBeVisible();
});

test('the link of a document opens the viewer or a new tab', async ({ page }) => {
  const link = page.getByRole('link', { name: 'Photo', exact: true });
  await link.click();
  await expect(viewer(page).getByRole('img', { name: 'Photo' })).toBeVisible();
  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    viewer(page).getByRole('link', { name: 'Open Photo in a new tab' }).click(),
  ]);
  await tab.waitForLoadState();
  expect(await tab.evaluate(() => document.contentType)).toMatch(/^image\//);
});

test('a link that does not open is renewed silently', async ({ page }) => {
  await page.route(
    '**/uploads/*.jpg?*',
    async (route) => {
      // Links signed within one second are equal: the new one must differ from this one.
      const expires = Number(new URL(route.request().url()).searchParams.get('e'));
      await expect
        .poll(() => Math.floor(Date.now() / 1000))
        .toBeGreaterThan(expires - LINK_LIFE_SECONDS);
      await route.fulfill({ status: 404, json: { status: 0, message: 'There is nothing here' } });
    },
    { times: 1 },
  );
  await viewer(page).getByRole('button', { name: 'Photo', exact: true }).click();
  await expect.poll(() => isLoaded(viewer(page).getByRole('img', { name: 'Photo' }))).toBe(true);
});

test('a link older than five minutes is renewed before it is used', async ({ page }) => {
  await page.clock.install();
  await page.reload();
  await expect(viewer(page).getByTitle('Travel document', { exact: true })).toBeVisible();
  await page.clock.fastForward('05:00');
  const signed = page.waitForResponse('**/get-orders-details/*');
  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    viewer(page).getByRole('link', { name: 'Open Travel document in a new tab' }).click(),
  ]);
  expect((await signed).status()).toBe(200);
  await tab.waitForLoadState();
  expect(await tab.evaluate(() => document.contentType)).toBe('application/pdf');
});
