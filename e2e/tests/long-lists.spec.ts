/** Lists and histories with thousands of rows. */

import type { Locator, Page } from '@playwright/test';

import { isLong } from '../support/forms.ts';
import { expectToast, open, tabTo } from '../support/staffActions.ts';
import { STAFF } from '../support/staff.ts';
import { SEEDED_ORDERS } from '../support/template.ts';
import { expect, test } from '../support/test.ts';
import { inspectState } from '../support/visualChecks.ts';

const MORE_ORDERS = 2_000;
/** More than the histories show at once, many times over. */
const REMARKS = isLong ? 2_000 : 500;
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

/** Presses the button that adds older rows until there are none. */
async function showAll(history: Locator, row: RegExp, total: number): Promise<void> {
  const older = history.getByRole('button', { name: 'Show older' });
  const rows = history.getByRole('button', { name: row });
  let shown = await rows.count();
  while (shown < total) {
    await older.click();
    await expect.poll(() => rows.count()).toBeGreaterThan(shown);
    shown = await rows.count();
  }
  await expect(older).toHaveCount(0);
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

test('an order with many remarks shows the newest and stays usable', async ({ page, server }) => {
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
  await expect(
    history.getByText(new RegExp(`^The newest 50 of ${REMARKS.toLocaleString('en')}`)),
  ).toBeVisible();
  const comments = history.getByRole('button', { name: /^Hide comment/ });
  await expect(comments).toHaveCount(50);

  await page.getByRole('textbox', { name: 'Add Comment Below' }).fill('The last one');
  await page.getByRole('button', { name: 'Save Comment' }).click();
  await expectToast(page, 'status', 'The remark has been added successfully');
  await expect(history.getByText('The last one')).toBeVisible();

  await showAll(history, /^(Show|Hide) comment/, REMARKS + 1);
  await history.getByRole('button', { name: 'Hide comment 1', exact: true }).click();
  await expect(history.getByRole('button', { name: 'Show comment 1', exact: true })).toBeVisible();
});

test('the keyboard pages through a history of 120 mails to the oldest one', async ({
  page,
  server,
}) => {
  await server.importOrders([{ external_reference: 'POST-9' }]);
  const { orderId } = await server.findOrder('newOrder', 'post-9@traveller.example');
  server.addPastMails(orderId, 120);
  await page.goto(`/admin/view-order/${encodeURIComponent(btoa(String(orderId * 2)))}#histories`);
  const history = page.getByRole('region', { name: 'Email History' });
  const mails = history.getByRole('button', { name: /^More about email/ });
  const older = history.getByRole('button', { name: 'Show older' });
  await expect(mails).toHaveCount(50);
  await expect(history.getByText(/^The newest 50 of 120/)).toBeVisible();
  await inspectState(page, 'order-older-mails', older);
  await tabTo(page, older);

  await page.keyboard.press('Enter');
  await expect(mails).toHaveCount(100);
  await expect(history.getByRole('status')).toHaveText('50 older added, 100 of 120 shown');
  await expect(older).toBeFocused();
  await expect(older).toBeInViewport();
  await page.keyboard.press('Enter');
  await expect(mails).toHaveCount(120);
  await expect(older).toHaveCount(0);
  await expect(history.getByRole('status')).toHaveText('20 older added, 120 of 120 shown');
  // The focus goes on into the oldest row.
  await expect(history.getByRole('table')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(mails.first()).toBeFocused();
  await expect(mails.first()).toHaveAccessibleName('More about email 1');
  await page.keyboard.press('Enter');
  await expect(
    history.getByText('mail-1@traveller.example', { exact: true }).first(),
  ).toBeVisible();
});
