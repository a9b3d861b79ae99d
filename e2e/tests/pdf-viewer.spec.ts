/** PDFs in a tab of their own, in Chromium itself: the headless shell of the other tests has no viewer. */

import type { Page } from '@playwright/test';

import { withPdfViewer } from '../support/browser.ts';
import { open } from '../support/staffActions.ts';
import { expect, test } from '../support/test.ts';

test.use({ as: 'Team', ...withPdfViewer });

/** Does what opens a tab, and checks that it shows a PDF and cannot reach the page behind it. */
async function expectPdfTab(page: Page, action: () => Promise<void>): Promise<void> {
  const [tab] = await Promise.all([page.context().waitForEvent('page'), action()]);
  await tab.waitForURL('**/uploads/**');
  await tab.waitForLoadState();
  expect(await tab.evaluate(() => document.contentType)).toBe('application/pdf');
  expect(await tab.evaluate(() => window.opener)).toBeNull();
  await tab.close();
}

test('a document and a pack open in a tab that shows them', async ({ page, server }) => {
  await page.goto('/admin/completed-order');
  await page.getByRole('link', { name: /^View/ }).first().click();
  const viewer = page.getByRole('region', { name: 'Documents' });
  const link = viewer.getByRole('link', { name: 'Open Travel document in a new tab' });
  await expectPdfTab(page, () => link.click());
  // Only an order whose visa was delivered has packs.
  await server.importOrders([{ external_reference: 'DONE-1', process_status: 'Completed' }]);
  await page.goto('/admin/completed-order');
  await open(page, 'Traveller DONE-1');
  const packs = page.getByRole('region', { name: 'Defence Packs' });
  await expectPdfTab(page, () =>
    packs.getByRole('button', { name: 'Defence Pack 2', exact: true }).click(),
  );
  await expectPdfTab(page, () => packs.getByRole('link').first().click());
});
