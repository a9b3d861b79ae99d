/** A tab that was open while a new release was installed: parts of the app and calls that the server no longer has. */

import type { Page } from '@playwright/test';

import { loadedRows, open } from '../support/staffActions.ts';
import { expect, readingTest, storedLogin, test } from '../support/test.ts';
import { orderWithVisa, trackPath } from '../support/visitor.ts';

test.use({ as: 'Team' });

const UPDATED = /Visadesk (was|may have been) updated while this page was open/;

/** How many documents a page has loaded since. */
function countDocuments(page: Page): () => number {
  let documents = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) documents += 1;
  });
  return () => documents;
}

/** Removes the parts of the app that the page has not loaded yet, until it loads a document of the new release. */
async function release(page: Page): Promise<void> {
  let isOld = true;
  await page.route('**/*', async (route) => {
    const request = route.request();
    if (request.isNavigationRequest()) isOld = false;
    const isGone = isOld && new URL(request.url()).pathname.startsWith('/assets/');
    await (isGone ? route.fulfill({ status: 404 }) : route.fallback());
  });
}

test('a screen of the new release is loaded with a new document, and drafts stay', async ({
  page,
  server,
}) => {
  await server.importOrders([{ external_reference: 'NEWER-1' }]);
  await page.goto('/admin/recent-order');
  await open(page, 'Traveller NEWER-1');
  const order = page.url();
  const remark = page.getByRole('textbox', { name: 'Add Comment Below' });
  await remark.fill('She will send it on Monday');
  const documents = countDocuments(page);
  await release(page);
  await page.getByRole('link', { name: 'Change Password' }).click();
  await expect(page.getByRole('button', { name: 'Update Password' })).toBeVisible();
  await expect(page).toHaveURL('/admin/change-password');
  expect(documents()).toBe(1);
  await page.goto(order);
  await expect(remark).toHaveValue('She will send it on Monday');
});

readingTest(
  'a part that stays missing is named, with what to do, and nothing loads again by itself',
  async ({ browser, server }) => {
    // Not the page of the test: React reports the failure to the console, where tests expect none.
    const storageState = await storedLogin(server, 'Team');
    const context = await browser.newContext({ baseURL: server.url, storageState });
    const page = await context.newPage();
    await page.goto('/admin/recent-order');
    await expect(loadedRows(page)).toHaveCount(10);
    const documents = countDocuments(page);
    const missing = '**/assets/ChangePasswordForm*.js';
    await page.route(missing, (route) => route.fulfill({ status: 404 }));
    await page.getByRole('link', { name: 'Change Password' }).click();
    const error = page
      .getByRole('alert')
      .filter({ hasText: 'Loading chunk ChangePasswordForm failed' });
    await expect(error).toContainText(UPDATED);
    expect(documents()).toBe(1);
    await page.unroute(missing);
    await error.getByRole('button', { name: 'Reload' }).click();
    await expect(page.getByRole('button', { name: 'Update Password' })).toBeVisible();
    await context.close();
  },
);

test('a call that the new release no longer has asks for a reload, and changes nothing', async ({
  page,
  server,
}) => {
  await server.importOrders([{ external_reference: 'NEWER-2' }]);
  await page.goto('/admin/recent-order');
  await page.route('**/api/admin/assign-order-status', (route) =>
    route.continue({ url: `${server.url}/api/admin/a-call-of-an-old-release` }),
  );
  await page.getByRole('row').filter({ hasText: 'NEWER-2' }).getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Assign to me' }).click();
  await page.getByRole('button', { name: 'Yes, assign' }).click();
  await expect(page.getByRole('alert').filter({ hasText: UPDATED })).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: 'NEWER-2' })).toBeVisible();
});

readingTest(
  'an answer of the new release that the screen cannot draw shows what to do',
  async ({ browser, server }) => {
    const storageState = await storedLogin(server, 'Team');
    const context = await browser.newContext({ baseURL: server.url, storageState });
    const page = await context.newPage();
    await page.goto('/admin');
    await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
    await page.route('**/api/admin/get-orders-list/**', async (route) => {
      const response = await route.fetch();
      const { data, ...rest } = (await response.json()) as { data: object[] };
      // The new release knows this field by another name.
      const renamed = data.map((order) =>
        Object.fromEntries(Object.entries(order).filter(([name]) => name !== 'allowed')),
      );
      await route.fulfill({ response, json: { ...rest, data: renamed } });
    });
    await page.getByRole('link', { name: /^Order History/ }).click();
    const error = page.getByRole('alert').filter({ hasText: 'Unexpected Application Error!' });
    await expect(error).toContainText(UPDATED);
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
    await page.unrouteAll();
    await error.getByRole('button', { name: 'Reload' }).click();
    await expect(loadedRows(page)).toHaveCount(10);
    await context.close();
  },
);

readingTest(
  'a visitor whose page lost a part gets the page of the new release, with the order',
  async ({ browser, server }) => {
    const order = await orderWithVisa(server);
    const context = await browser.newContext({ baseURL: server.url });
    const page = await context.newPage();
    await page.goto(trackPath(order));
    await expect(page.getByLabel('Order ID')).toHaveValue(String(order.orderId));
    await release(page);
    const documents = countDocuments(page);
    await page.getByLabel('Email').fill(order.email);
    await page.getByRole('button', { name: 'TRACK ORDER' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your e-visa is ready');
    await expect(page.getByRole('region', { name: 'Downloaded History' })).toBeVisible();
    expect(documents()).toBe(1);
    await context.close();
  },
);
