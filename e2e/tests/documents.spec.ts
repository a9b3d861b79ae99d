import type { Locator, Page } from '@playwright/test';

import { visaOf } from '../support/papers.ts';
import { openPdfTab } from '../support/pdfTab.ts';
import { expectAccessibleInBothSchemes } from '../support/visualChecks.ts';
import { open } from '../support/staffActions.ts';
import type { TestServer } from '../support/testServer.ts';
import { expect, readingTest, test } from '../support/test.ts';

/** How long the server's signed links are valid. */
const LINK_LIFE_SECONDS = 300;

test.use({ as: 'Team' });

const viewer = (page: Page): Locator => page.getByRole('region', { name: 'Documents' });
/** The image with its zoom: a group named by both. */
const sheet = (page: Page): Locator => viewer(page).getByRole('group', { name: / %$/ });
const zoomOf = async (page: Page): Promise<number> =>
  Number(/(\d+) %$/.exec((await sheet(page).getAttribute('aria-label')) ?? '')?.[1]);
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

readingTest(
  'documents are shown beside the data, and can be zoomed and rotated',
  async ({ page }) => {
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
  },
);

readingTest('the viewer enters and leaves full screen', async ({ page }) => {
  await button(page, 'Full screen').click();
  await expect
    .poll(() => page.evaluate(() => document.fullscreenElement?.ariaLabel))
    .toBe('Documents');
  await button(page, 'Leave full screen').click();
  await expect(button(page, 'Full screen')).toBeVisible();
});

readingTest('a PDF shows as an image of its page, as wide as the stage', async ({ page }) => {
  const image = viewer(page).getByRole('img', { name: 'Travel document', exact: true });
  await expect.poll(() => isLoaded(image)).toBe(true);
  const [shown, stage] = [(await image.boundingBox())!, (await sheet(page).boundingBox())!];
  expect(Math.abs(shown.width - stage.width)).toBeLessThan(20);
  await expect(viewer(page).getByRole('group', { name: 'Pages' })).toHaveCount(0);
});

/** The darkest of the pixels in a part of the screen, 0 to 255. */
async function darkest(page: Page, clip: { x: number; y: number; width: number; height: number }) {
  const picture = (await page.screenshot({ clip })).toString('base64');
  return page.evaluate(async (picture) => {
    const bytes = Uint8Array.from(atob(picture), (char) => char.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')!;
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
    return Math.min(...data);
  }, picture);
}

readingTest('a page reaches the edges of its stage, without a dark line', async ({ page }) => {
  const image = viewer(page).getByRole('img', { name: 'Travel document', exact: true });
  for (const width of [1440, 1361, 1283, 1217, 1027, 901, 389]) {
    await page.setViewportSize({ width, height: 900 });
    await viewer(page).scrollIntoViewIfNeeded();
    await expect.poll(() => isLoaded(image)).toBe(true);
    await page.mouse.move(0, 0);
    const stage = (await sheet(page).boundingBox())!;
    const middle = Math.round(stage.y + stage.height / 2);
    const [left, right] = [Math.ceil(stage.x), Math.floor(stage.x + stage.width)];
    for (const x of [left, right - 3]) {
      const clip = { x, y: middle, width: 3, height: 2 };
      await expect
        .poll(() => darkest(page, clip), { message: `${x} at ${width} px` })
        .toBeGreaterThan(240);
    }
  }
});

readingTest('the keys . and , switch between documents', async ({ page }) => {
  await expect(viewer(page).getByText(/^1 of \d+$/)).toBeVisible();
  await page.keyboard.press('.');
  await expect(viewer(page).getByText(/^2 of \d+$/)).toBeVisible();
  await page.keyboard.press(',');
  await expect(viewer(page).getByText(/^1 of \d+$/)).toBeVisible();
});

readingTest('the link of a document opens the viewer or a new tab', async ({ page }) => {
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

readingTest('a link that does not open is renewed silently', async ({ page }) => {
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

readingTest('a link older than five minutes is renewed before it is used', async ({ page }) => {
  await page.clock.install();
  await page.reload();
  await expect(
    viewer(page).getByRole('img', { name: 'Travel document', exact: true }),
  ).toBeVisible();
  await page.clock.fastForward('05:00');
  const signed = page.waitForResponse('**/get-orders-details/*');
  const link = viewer(page).getByRole('link', { name: 'Open Travel document in a new tab' });
  await openPdfTab(page, () => link.click());
  expect((await signed).status()).toBe(200);
});

/** Opens an order with an issued visa of three pages, and shows the visa. */
async function openPages(page: Page, server: TestServer) {
  await server.importOrders([{ external_reference: 'PAGES-1' }]);
  await page.goto('/admin/recent-order');
  await open(page, 'Traveller PAGES-1');
  const form = page.getByRole('form', { name: 'Upload Document' });
  const visa = visaOf('Traveller PAGES-1', 'Page two', 'Page three');
  await form.getByLabel('Visa', { exact: true }).setInputFiles(visa);
  await form.getByRole('button', { name: 'Upload and email via AWS' }).click();
  await viewer(page).getByRole('button', { name: 'Issued visa', exact: true }).click();
  await expect(pageImage(page, 1)).toBeVisible();
}

const pageImage = (page: Page, number: number): Locator =>
  viewer(page).getByRole('img', { name: `Issued visa, page ${number}`, exact: true });

test('the pages of a PDF are turned, zoomed and rotated with the keyboard alone', async ({
  page,
  server,
}) => {
  await openPages(page, server);
  await sheet(page).focus();
  await page.keyboard.press('Shift+>');
  await expect(pageImage(page, 2)).toBeVisible();
  await page.keyboard.press('z');
  await page.keyboard.press('z');
  await expect.poll(() => zoomOf(page)).toBe(200);
  // Enough pixels for the zoom.
  await expect
    .poll(() => pageImage(page, 2).evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(2_000);
  await page.keyboard.press('r');
  await expect(pageImage(page, 2)).toHaveCSS('rotate', '90deg');
  await page.keyboard.press('Shift+Tab');
  await viewer(page).getByRole('combobox', { name: 'Page' }).focus();
  await page.keyboard.press('ArrowDown');
  await expect(pageImage(page, 3)).toBeVisible();
  await viewer(page).getByRole('button', { name: 'Previous page' }).focus();
  await page.keyboard.press('Enter');
  await expect(pageImage(page, 2)).toBeVisible();
  await expectAccessibleInBothSchemes(page, 'viewer');
});

readingTest(
  'the wheel with Control zooms at the pointer, and the wheel alone moves the page on',
  async ({ page }) => {
    await viewer(page).getByRole('button', { name: 'Photo', exact: true }).click();
    const image = viewer(page).getByRole('img', { name: 'Photo' });
    await expect.poll(() => isLoaded(image)).toBe(true);
    const stage = (await sheet(page).boundingBox())!;
    const at = { x: stage.x + stage.width / 4, y: stage.y + stage.height / 4 };
    await page.mouse.move(at.x, at.y);
    const scrolled = () => page.evaluate(() => window.scrollY);
    await page.mouse.wheel(0, 200);
    await expect.poll(scrolled).toBeGreaterThan(0);
    expect(await zoomOf(page)).toBe(100);
    await page.evaluate(() => window.scrollTo(0, 0));

    await page.keyboard.down('Control');
    for (let turn = 0; turn < 4; turn += 1) await page.mouse.wheel(0, -120);
    await page.keyboard.up('Control');
    await expect.poll(() => zoomOf(page)).toBe(400);
    const zoomed = (await image.boundingBox())!;
    // A quarter of the picture is still left of the pointer.
    expect((at.x - zoomed.x) / zoomed.width).toBeCloseTo(0.25, 1);

    // With the focus, the wheel alone zooms the picture.
    await sheet(page).focus();
    await page.mouse.wheel(0, 120);
    await expect.poll(() => zoomOf(page)).toBeLessThan(300);
  },
);

readingTest('a picture is moved by dragging', async ({ page }) => {
  await viewer(page).getByRole('button', { name: 'Photo', exact: true }).click();
  const image = viewer(page).getByRole('img', { name: 'Photo' });
  await expect.poll(() => isLoaded(image)).toBe(true);
  await page.keyboard.press('z');
  await page.keyboard.press('z');
  const before = (await image.boundingBox())!;
  const stage = (await sheet(page).boundingBox())!;
  const middle = { x: stage.x + stage.width / 2, y: stage.y + stage.height / 2 };
  await page.mouse.move(middle.x, middle.y);
  await page.mouse.down();
  await page.mouse.move(middle.x + 40, middle.y + 30, { steps: 4 });
  await page.mouse.up();
  const after = (await image.boundingBox())!;
  expect(after.x - before.x).toBeCloseTo(40, -1);
  expect(after.y - before.y).toBeCloseTo(30, -1);
});

readingTest('two fingers zoom the document and not the screen', async ({ page }) => {
  await viewer(page).getByRole('button', { name: 'Photo', exact: true }).click();
  await expect.poll(() => isLoaded(viewer(page).getByRole('img', { name: 'Photo' }))).toBe(true);
  const stage = (await sheet(page).boundingBox())!;
  const middle = { x: stage.x + stage.width / 2, y: stage.y + stage.height / 2 };
  const fingers = (distance: number) => [
    { x: middle.x - distance / 2, y: middle.y },
    { x: middle.x + distance / 2, y: middle.y },
  ];
  const screen = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', distance?: number) =>
    screen.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: distance === undefined ? [] : fingers(distance),
    });
  await touch('touchStart', 60);
  for (const distance of [80, 100, 120, 150]) await touch('touchMove', distance);
  await touch('touchEnd');
  await expect.poll(() => zoomOf(page)).toBe(250);
  expect(await page.evaluate(() => window.visualViewport?.scale)).toBe(1);
});
