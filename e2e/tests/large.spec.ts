/** Screens with tens of thousands of rows: what they hold in memory and in the document, and how long they take. */

import type { Page } from '@playwright/test';

import { loadedRows, open } from '../support/staffActions.ts';
import { STAFF } from '../support/staff.ts';
import { SEEDED_ORDERS } from '../support/template.ts';
import { expect, test } from '../support/test.ts';

const ORDERS = 50_000;
const HISTORY_ROWS = 5_000;
const MOST_TABLE_ROWS = 150;
const MIB = 1024 * 1024;

test.use({ as: 'Admin' });

/** How many times the cost of the small screen the large one may take. */
const MOST_TIMES = 3;
const RUNS = 3;

interface Cost {
  /** The least of the runs: the others also show what else the machine does. */
  milliseconds: number;
  /** The memory of the page's own objects after a collection. */
  heapMib: number;
  elements: number;
}

/** Opens a URL some times, waits for `usable`, and returns what it took. */
async function costOf(page: Page, url: string, usable: () => Promise<void>): Promise<Cost> {
  let milliseconds = Infinity;
  for (let run = 0; run < RUNS; run += 1) {
    const begun = performance.now();
    await page.goto(url);
    await usable();
    milliseconds = Math.min(milliseconds, Math.round(performance.now() - begun));
  }
  const tools = await page.context().newCDPSession(page);
  await tools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await tools.send('Runtime.getHeapUsage');
  await tools.detach();
  const elements = await page.locator('*').count();
  return { milliseconds, heapMib: usedSize / MIB, elements };
}

/** Whether one of the rows is on the screen. */
function areSeen(rows: Element[]): boolean {
  return rows
    .map((row) => row.getBoundingClientRect())
    .some(({ top, bottom }) => top >= 0 && bottom <= window.innerHeight);
}

/** Writes what two screens took into the output of the tests. */
function report(what: string, small: Cost, large: Cost): void {
  const words = ({ milliseconds, heapMib, elements }: Cost) =>
    `${milliseconds} ms, ${heapMib.toFixed(1)} MiB, ${elements} elements`;
  process.stdout.write(`${what}: ${words(large)}; without them ${words(small)}\n`);
}

test('a list of 50,000 orders costs little more than one of ten', async ({ page, server }) => {
  await server.importOrders(
    Array.from({ length: ORDERS - SEEDED_ORDERS }, (_, index) => ({
      external_reference: `MANY-${index}`,
    })),
  );
  const scroller = page.getByRole('table').locator('..');
  const usable = async (rows: number) => {
    await expect(page.getByRole('table')).toHaveAttribute('aria-rowcount', String(rows + 1));
    await expect(page.getByRole('link', { name: /^View/ }).first()).toBeVisible();
  };
  const list = '/admin/order-history?limit=';
  const ten = await costOf(page, `${list}10`, () =>
    expect(page.getByRole('link', { name: /^View/ })).toHaveCount(10),
  );
  const all = await costOf(page, `${list}All`, () => usable(ORDERS));
  report('a list of 50,000 orders', ten, all);
  expect(all.milliseconds).toBeLessThan(MOST_TIMES * ten.milliseconds);
  expect(all.heapMib).toBeLessThan(MOST_TIMES * ten.heapMib);
  expect(all.elements).toBeLessThan(MOST_TIMES * ten.elements);
  expect(await page.getByRole('row').count()).toBeLessThan(MOST_TABLE_ROWS);

  // The end of the list is reached at once, too, and what was scrolled over is not kept in the document.
  for (const share of [0.25, 0.5, 0.75, 1]) {
    await scroller.evaluate((it, to) => it.scrollTo({ top: it.scrollHeight * to }), share);
    await expect.poll(() => loadedRows(page).evaluateAll(areSeen)).toBe(true);
  }
  await expect(page.locator(`tr[aria-rowindex="${ORDERS + 1}"]`)).toBeVisible();
  expect(await page.getByRole('row').count()).toBeLessThan(MOST_TABLE_ROWS);
});

test('an order with 5,000 rows of history opens with the newest of them', async ({
  page,
  server,
}) => {
  await server.importOrders([{ external_reference: 'PAST-1' }, { external_reference: 'PAST-2' }]);
  const { orderId } = await server.findOrder('newOrder', 'past-1@traveller.example');
  await server.callMany(
    'Team',
    'POST',
    'admin/add-new-remark',
    Array.from({ length: HISTORY_ROWS }, (_, index) => ({
      orderId,
      remark: `Call ${index}`,
      remarkerName: STAFF.Team.name,
    })),
  );
  const history = page.getByRole('region', { name: 'Comment History' });
  const shown = history.getByRole('button', { name: /^Hide comment/ });
  await page.goto('/admin/recent-order');
  await open(page, 'Traveller PAST-2');
  const [bareUrl, fullUrl] = [
    page.url(),
    `/admin/view-order/${encodeURIComponent(btoa(String(orderId * 2)))}`,
  ];
  const bare = await costOf(page, bareUrl, () =>
    expect(history.getByText('No record found')).toBeVisible(),
  );
  const full = await costOf(page, fullUrl, () => expect(shown).toHaveCount(50));
  report('an order with 5,000 rows of history', bare, full);
  await expect(history.getByText(/^The newest 50 of 5,000/)).toBeVisible();
  expect(full.milliseconds).toBeLessThan(MOST_TIMES * bare.milliseconds);
  expect(full.heapMib).toBeLessThan(MOST_TIMES * bare.heapMib);

  // Each page is at most 200 rows longer.
  const first = history.getByRole('button', { name: 'Hide comment 1', exact: true });
  const older = history.getByRole('button', { name: 'Show older' });
  for (let rows = 50; rows < HISTORY_ROWS; rows = await shown.count()) {
    await older.click();
    await expect.poll(() => shown.count()).toBeGreaterThan(rows);
  }
  await expect(first).toBeVisible();
  const textbox = page.getByRole('textbox', { name: 'Add Comment Below' });
  await textbox.fill('Still usable');
  await expect(textbox).toHaveValue('Still usable');
});
