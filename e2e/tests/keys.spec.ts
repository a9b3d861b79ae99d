/** The keys of lists, menus and orders: which act, which must not, and where the focus goes on. */

import type { Page } from '@playwright/test';

import { passportLines, pdf, TYPED_WRONG } from '../support/papers.ts';
import { expectToast, loadedRows, open } from '../support/staffActions.ts';
import { expect, readingTest, test } from '../support/test.ts';

test.use({ as: 'Admin', permissions: ['clipboard-read', 'clipboard-write'] });

const sheet = (page: Page) => page.getByRole('dialog', { name: /^Move order/ });
const searchBox = (page: Page) => page.getByRole('searchbox');
const place = (page: Page) => new URL(page.url()).pathname + new URL(page.url()).search;

async function openList(page: Page, path = '/admin/recent-order'): Promise<void> {
  await page.goto(path);
  await expect(loadedRows(page)).toHaveCount(10);
}

test('keys that begin with g go to a folder from an order and from Filing, and do nothing else', async ({
  page,
  server,
}) => {
  await server.importOrders([{ external_reference: 'KEYS-G' }]);
  await page.goto('/admin/recent-order');
  await open(page, 'Traveller KEYS-G');
  const order = place(page);
  for (const view of ['', '?view=filing']) {
    for (const [key, path] of [
      ['m', '/admin/my-order'],
      ['f', '/admin/future-order'],
      ['r', '/admin/refund-order'],
      ['c', '/admin/completed-order'],
    ] as const) {
      // After a reload the screen of the order is the last to bind its keys.
      await page.goto(order + view);
      await expect(page.getByRole('link', { name: 'Filing' })).toBeVisible();
      await expect(page.getByRole('heading', { level: 1, name: /^Order \d/ })).toBeVisible();
      await page.evaluate(() => navigator.clipboard.writeText('mine'));
      await page.keyboard.press('g');
      await page.keyboard.press(key);
      await expect(page, `g ${key} from ${view}`).toHaveURL(path);
      await expect(sheet(page)).toHaveCount(0);
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('mine');
    }
  }
});

readingTest('no key acts under an open menu, in which a letter finds an item', async ({ page }) => {
  await openList(page);
  await page.getByRole('button', { name: /^Welcome/ }).click();
  const menu = page.getByRole('menu');
  await expect(menu.getByRole('menuitem').first()).toBeFocused();
  await page.keyboard.press('u');
  await page.keyboard.press('l');
  await expect(menu.getByRole('menuitem', { name: 'Logout' })).toBeFocused();
  await expect(page.getByText('There is nothing to undo')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(menu).toHaveCount(0);
  await page.keyboard.press('u');
  await expectToast(page, 'status', 'There is nothing to undo');
});

readingTest(
  'a group of controls stays with its button while the page scrolls, and Tab out of it closes it',
  async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 500 });
    await openList(page);
    const button = page.getByRole('button', { name: /^Columns/ });
    await button.click();
    const group = page.getByRole('group', { name: 'Columns' });
    await expect(group).toBeVisible();
    const apart = async () => (await group.boundingBox())!.y - (await button.boundingBox())!.y;
    const before = await apart();
    await page.evaluate(() => window.scrollBy(0, 60));
    await expect(group).toBeVisible();
    await expect.poll(apart).toBeCloseTo(before, 0);
    const boxes = await group.getByRole('checkbox').count();
    for (let presses = 0; presses < boxes; presses += 1) await page.keyboard.press('Tab');
    await expect(group).toHaveCount(0);
  },
);

readingTest('what is typed right after Ctrl+K on a new page is in its field', async ({ page }) => {
  await page.goto('/admin');
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
  // Without waiting for the field.
  await page.keyboard.press('Control+k');
  await page.keyboard.type('new oo');
  await page.keyboard.press('Backspace');
  await expect(page.getByRole('combobox')).toHaveValue('new o');
  await expect(page.getByRole('option').first()).toContainText('New Orders');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('a list is searched, worked on and opened without a pointer', async ({ page, server }) => {
  await server.importOrders(
    ['S-1', 'S-2', 'S-3'].map((reference) => ({ external_reference: `KEYS-${reference}` })),
  );
  await openList(page);
  await page.keyboard.press('/');
  await page.keyboard.type('Traveller KEYS-S');
  await page.keyboard.press('Enter');
  await expect(loadedRows(page)).toHaveCount(3);
  await expect(loadedRows(page).first()).toBeFocused();
  await page.keyboard.press('/');
  await page.keyboard.press('Escape');
  await expect(searchBox(page)).toHaveValue('Traveller KEYS-S');
  await expect(loadedRows(page)).toHaveCount(3);

  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await expect(loadedRows(page).nth(1)).toBeFocused();
  await page.keyboard.press('a');
  await expect(page.getByRole('dialog', { name: /^Assign order \d+ to me$/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await expectToast(page, 'status', 'Order has been assigned successfully');
  await expect(loadedRows(page)).toHaveCount(2);
  // The row after the one that left.
  await expect(loadedRows(page).nth(1)).toBeFocused();
  await page.keyboard.press('k');
  await expect(loadedRows(page).first()).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: /^Order \d+$/ })).toBeVisible();
});

readingTest('Forward does not bring a removed search back', async ({ page }) => {
  await openList(page);
  await searchBox(page).fill('a');
  await expect(page).toHaveURL('/admin/recent-order?q=a');
  await page.getByLabel('Rows per page').selectOption('25');
  const unsearched = page.waitForRequest(/get-orders-list/);
  await searchBox(page).fill('');
  await unsearched;
  await expect(page).toHaveURL('/admin/recent-order?limit=25');
  await page.goBack();
  await expect(searchBox(page)).toHaveValue('a');
  await page.goForward();
  await expect(searchBox(page)).toHaveValue('');
  // Typing that pauses would search after half a second.
  const searched = page.waitForRequest(/search-order/, { timeout: 1_500 }).catch(() => null);
  expect(await searched).toBeNull();
  await expect(page).toHaveURL('/admin/recent-order?limit=25');
});

for (const width of [820, 390]) {
  readingTest(`at ${width} px one tap on a row opens its order`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/admin/recent-order');
    const first = page.getByRole('row').nth(1);
    await expect(first.getByRole('button', { name: /^Actions of/ })).toBeVisible();
    const number = await first.getByRole('link', { name: /^\d+$/ }).innerText();
    if (width === 390) {
      // The date, which is no link, is a part of the card.
      const { x, y, height } = (await first.boundingBox())!;
      await page.mouse.click(x + 120, y + height - 12);
    } else {
      await first.getByRole('link', { name: /^\d+$/ }).click();
    }
    await expect(page.getByRole('heading', { level: 1, name: `Order ${number}` })).toBeVisible();
    await page.goBack();
    await first.getByRole('button', { name: /^Actions of/ }).click();
    await expect(page.getByRole('menu')).toBeVisible();
    await page.keyboard.press('Escape');
    await first.getByRole('checkbox').check();
    await expect(page.getByText('1 on this page selected')).toBeVisible();
  });
}

readingTest(
  'a middle click on the number of a row opens its order in a new tab',
  async ({ page }) => {
    await openList(page);
    const number = loadedRows(page).first().getByRole('link', { name: /^\d+$/ });
    const id = await number.innerText();
    const opened = page.context().waitForEvent('page');
    await number.click({ button: 'middle' });
    const tab = await opened;
    await expect(tab.getByRole('heading', { level: 1, name: `Order ${id}` })).toBeVisible();
    await tab.close();
  },
);

readingTest(
  'a CSV file that is loading can be cancelled by the button that keeps the focus',
  async ({ page }) => {
    await page.route('**/orders-csv/**', () => undefined);
    await openList(page);
    await page.getByRole('button', { name: 'Download as CSV' }).focus();
    await page.keyboard.press('Enter');
    const cancel = page.getByRole('button', { name: 'Loading… Cancel' });
    await expect(cancel).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Download as CSV' })).toBeFocused();
    await expect(page.getByRole('alert')).toHaveCount(0);
  },
);

test('a comment is written and saved by keys, from the papers too', async ({ page, server }) => {
  await server.importOrders([{ external_reference: 'KEYS-C' }]);
  await page.goto('/admin/recent-order');
  await open(page, 'Traveller KEYS-C');
  await page.keyboard.press('d');
  await expect(page.getByRole('navigation', { name: 'Documents' })).toBeVisible();
  await page.keyboard.press('c');
  const field = page.getByRole('textbox', { name: 'Add Comment Below' });
  // At once: the letters and digits are keys of the documents, until the field has the focus.
  await page.keyboard.type('4 calls, none answered');
  await expect(field).toHaveValue('4 calls, none answered');
  await page.keyboard.press('Control+Enter');
  await expectToast(page, 'status', 'The remark has been added successfully');
  await expect(field).toHaveValue('');

  // The field was never shown since the page was loaded.
  await page.goto(`${place(page)}?view=papers`);
  await expect(page.getByRole('navigation', { name: 'Documents' })).toBeVisible();
  await page.keyboard.press('c');
  await page.keyboard.type('4 more calls');
  await expect(field).toHaveValue('4 more calls');
});

test('every file of the papers is shown by keys, and a paper is decided by one', async ({
  page,
  server,
}) => {
  await server.importOrders([{ ...TYPED_WRONG, external_reference: 'KEYS-P' }]);
  const passport = pdf(passportLines().join(') Tj 0 -30 Td ('));
  await server.addFiles('KEYS-P', [
    ['passport_picture', passport],
    ['passport_picture', pdf('A second passport')],
    ['bank_statement', pdf('A statement')],
  ]);
  await page.goto('/admin/recent-order');
  await open(page, TYPED_WRONG.full_name);
  await page.keyboard.press('d');
  const files = page.getByRole('list', { name: 'All documents' });
  const current = files.locator('button[aria-current="true"]');
  await expect(current).toHaveCount(1);
  const names = await files.getByRole('button').allInnerTexts();
  expect(names).toHaveLength(3);
  expect(names.filter((name) => name.endsWith(', earlier'))).toHaveLength(1);
  const start = names.indexOf(await current.innerText());
  for (let step = 1; step <= names.length; step += 1) {
    await page.keyboard.press('.');
    await expect(current).toHaveText(names[(start + step) % names.length]!);
  }
  await page.keyboard.press('3');
  const wrong = page.getByRole('button', { name: 'Wrong', exact: true });
  await expect(wrong).toHaveAttribute('aria-pressed', 'true');
  await page.keyboard.press('n');
  await expect(wrong).toHaveAttribute('aria-pressed', 'false');
});
