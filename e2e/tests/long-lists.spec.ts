/** Lists and histories with thousands of rows. */

import type { Page } from '@playwright/test';

import { expectToast, open } from '../support/staffActions.ts';
import { STAFF } from '../support/staff.ts';
import { SEEDED_ORDERS } from '../support/template.ts';
import { expect, test } from '../support/test.ts';

const MORE_ORDERS = 2_000;
const REMARKS = 2_000;
/** In the middle of the list. */
const ROW = 1_200;

test.use({ as: 'Admin' });

async function scrollToRow(page: Page, row: number): Promise<void> {
  await page
    .getByRole('table')
    .locator('..')
    .evaluate(
      (scroller, share) => scroller.scrollTo({ top: scroller.scrollHeight * share }),
      row / (SEEDED_ORDERS + MORE_ORDERS),
    );
}

/** The ids of the orders in view. */
function idsInView(page: Page): Promise<string[]> {
  return page
    .getByRole('table')
    .locator('..')
    .evaluate((scroller) => {
      const { top, bottom } = scroller.getBoundingClientRect();
      return [...scroller.querySelectorAll<HTMLElement>('tr[aria-rowindex]')]
        .filter((row) => {
          const box = row.getBoundingClientRect();
          return box.top >= top + 40 && box.bottom <= bottom;
        })
        .map((row) => row.querySelector('td[data-label="Order Id"]')?.textContent ?? '');
    });
}

test('All scrolls through thousands of orders and keeps its place', async ({ page, server }) => {
  await server.importOrders(
    Array.from({ length: MORE_ORDERS }, (_, index) => ({ external_reference: `LONG-${index}` })),
  );
  await page.goto('/admin/order-history?limit=All');
  const rows = String(SEEDED_ORDERS + MORE_ORDERS + 1);
  await expect(page.getByRole('table')).toHaveAttribute('aria-rowcount', rows);
  await scrollToRow(page, ROW);
  await expect.poll(() => idsInView(page)).toContainEqual(expect.stringMatching(/^\d{6}/));
  const seen = await idsInView(page);
  const id = seen[3]!;
  // Only the rows near the screen exist.
  expect(await page.getByRole('row').count()).toBeLessThan(100);

  await page.getByRole('link', { name: `View ${id}` }).click();
  await expect(page.getByRole('heading', { level: 1, name: `Order ${id}` })).toBeVisible();
  await page.goBack();
  await expect.poll(() => idsInView(page)).toEqual(seen);
});

test('an order with thousands of remarks shows the newest and stays usable', async ({
  page,
  server,
}) => {
  await server.importOrders([{ external_reference: 'TALK-9' }]);
  await page.goto('/admin/recent-order');
  await open(page, 'Traveller TALK-9');
  const title = await page.getByRole('heading', { level: 1 }).innerText();
  const orderId = Number(title.replaceAll(/\D/g, ''));
  const remarkerName = STAFF.Team.name;
  await server.callMany(
    'Team',
    'POST',
    'admin/add-new-remark',
    Array.from({ length: REMARKS }, (_, index) => ({
      orderId,
      remark: `Call ${index}`,
      remarkerName,
    })),
  );
  await page.reload();
  const history = page.getByRole('region', { name: 'Comment History' });
  await expect(history.getByText(/^The newest 100 of 2,000/)).toBeVisible();
  await expect(history.getByRole('button', { name: /^Show comment/ })).toHaveCount(100);

  await page.getByRole('textbox', { name: 'Add Comment Below' }).fill('The last one');
  await page.getByRole('button', { name: 'Save Comment' }).click();
  await expectToast(page, 'status', 'The remark has been added successfully');
  await history.getByRole('button', { name: 'Show comment 2001' }).click();
  await expect(history.getByText('The last one')).toBeVisible();

  await history.getByRole('button', { name: 'Show all 2,001' }).click();
  await history.getByRole('button', { name: 'Show comment 1', exact: true }).click();
  await expect(history.getByRole('button', { name: 'Hide comment 1', exact: true })).toBeVisible();
});
