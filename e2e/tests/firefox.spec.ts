/** A walk through the main screens in Firefox, over WebDriver BiDi. */

import { type Browser, type Page, launch } from 'puppeteer-core';

import { firefox } from '../support/binary.ts';
import { PASSWORD, STAFF } from '../support/staff.ts';
import { expect, test as base } from '../support/test.ts';

const LIMIT_MS = 60_000;

const test = base.extend<{ inFirefox: Browser }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern what a fixture needs: here nothing
  inFirefox: async ({}, use) => {
    const browser = await launch({ browser: 'firefox', executablePath: firefox(), headless: true });
    await use(browser);
    await browser.close();
  },
});

/** Opens a page whose uncaught errors and errors of the server are collected. */
async function watched(browser: Browser): Promise<[Page, string[]]> {
  const page = await browser.newPage();
  await page.setViewport({ width: 1440, height: 900 });
  page.setDefaultTimeout(LIMIT_MS);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('response', (response) => {
    if (response.status() >= 500) faults.push(`${response.status()}: ${response.url()}`);
  });
  return [page, faults];
}

test('a member signs in, opens a list and an order, sees a page of a document, and signs out', async ({
  inFirefox,
  server,
}) => {
  const [page, faults] = await watched(inFirefox);
  const shows = (selector: string) => page.locator(selector).waitHandle();

  await page.goto(server.url);
  await page.locator('input[name="email"]').fill(STAFF.Team.email);
  await page.locator('input[name="password"]').fill(PASSWORD);
  await page.locator('button[type="submit"]').click();
  await shows(`::-p-text(Welcome, ${STAFF.Team.name})`);

  await page.locator('nav a[href="/admin/completed-order"]').click();
  await page.locator('tbody a[aria-label^="View"]').click();
  await shows('h1::-p-text(Order )');
  const image = await shows('section[aria-label="Documents"] img');
  await expect
    .poll(() => image.evaluate((element) => (element as HTMLImageElement).naturalWidth))
    .toBeGreaterThan(100);

  await page.locator('nav button::-p-text(Logout)').click();
  await shows('h1::-p-text(Sign in)');
  expect(await page.evaluate(() => localStorage.getItem('user'))).toBeNull();
  expect(faults).toEqual([]);
});
