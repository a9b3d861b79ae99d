/** The detail of an order at every width: the work on it is seen first, nothing covers it, and nothing typed is lost. */

import type { Locator, Page } from '@playwright/test';

import { confirm, expectToast, open, search, tabTo } from '../support/staffActions.ts';
import { isLong } from '../support/forms.ts';
import { expectLoaded } from '../support/layoutChecks.ts';
import { visaFile } from '../support/papers.ts';
import { startAtTheTop } from '../support/readingAids.ts';
import type { TestServer } from '../support/testServer.ts';
import {
  expectAccessible,
  expectNoLayoutShift,
  expectReadableInDark,
  expectToFit,
} from '../support/visualChecks.ts';
import { expect, readingTest, test } from '../support/test.ts';

const HEIGHT = 900;
/** Below it, documents, data, histories and timeline are tabs. */
const FIRST_WIDE = 1216;
const FIRST_TABLET = 768;
/** The neighbours of what changes most: tabs or columns, a table or cards, and the narrowest phone. */
const NEIGHBOURS = [1440, 1216, 1152, 768, 360];
const ALL = [1440, 1280, 1216, 1152, 1024, 900, 820, 768, 390, 360];
const WIDTHS = isLong ? ALL : NEIGHBOURS;
/** The looks that are checked for faults of accessibility. The dark scheme differs in colours alone, at no width in others. */
const LOOKS = [1440, 900, 390]
  .flatMap((width) => [
    { width, colorScheme: 'light' as const },
    { width, colorScheme: 'dark' as const },
  ])
  .filter(({ width, colorScheme }) => isLong || colorScheme === 'light' || width === 900);
const TABS = ['Documents', 'Data', 'Histories', 'Timeline'];

const LONG_NAME = 'Raden Ajeng Siti Maria Magdalena Kusumawardhani Soerjadiningrat';

const actions = (page: Page): Locator => page.getByRole('region', { name: 'Actions' });
const mails = (page: Page): Locator => page.getByRole('region', { name: 'Emails' });
const tab = (page: Page, name: string): Locator =>
  page.getByRole('tab', { name: new RegExp(`^${name}`) });
const sheet = (page: Page): Locator => page.getByRole('dialog', { name: /^Move order \d+$/ });
const remark = (page: Page): Locator => page.getByRole('textbox', { name: 'Add Comment Below' });

async function openLong(page: Page, server: TestServer): Promise<void> {
  await server.importOrders([
    {
      external_reference: 'WIDE-1',
      full_name: LONG_NAME,
      contact_email_address: 'siti.maria.magdalena.kusumawardhani@correspondence.example',
      processing_mode: 'Priority Processing',
    },
  ]);
  await page.goto('/admin/priority-order');
  await search(page, 'WIDE-1');
  await open(page, LONG_NAME);
  await expect(mails(page)).toBeVisible();
}

/** Opens an order that nothing changes. */
async function openSeeded(page: Page): Promise<void> {
  await page.goto('/admin/completed-order');
  await page.getByRole('link', { name: /^View/ }).first().click();
  await expect(mails(page)).toBeVisible();
}

/** The line with the name, which ends in an ellipsis where it is too long. */
const person = (page: Page): Locator => page.locator('header p').filter({ hasText: LONG_NAME });

/** The corners and the middle of `part` where something else is seen, in the middle, at the top and at the end of the window. */
function coveredPoints(part: Locator): Promise<string[]> {
  return part.evaluate((element) =>
    (['center', 'start', 'end'] as const).flatMap((block) => {
      element.scrollIntoView({ block, behavior: 'instant' });
      const { left, right, top, bottom } = element.getBoundingClientRect();
      const points = [
        [left + 3, top + 3],
        [right - 3, top + 3],
        [(left + right) / 2, (top + bottom) / 2],
        [left + 3, bottom - 3],
        [right - 3, bottom - 3],
      ] as const;
      return points
        .map(([x, y]) => [x, y, document.elementFromPoint(x, y)] as const)
        .filter(([, , seen]) => !seen || !(element.contains(seen) || seen.contains(element)))
        .map(([x, y, seen]) => {
          const place = `${block}, ${Math.round(x)},${Math.round(y)}`;
          return `${place}: ${seen?.outerHTML.slice(0, 90)}`;
        });
    }),
  );
}

test.describe('an Admin', () => {
  test.use({ as: 'Admin' });

  test('sees the work first, uncovered, with number, name, status and moves in view at every width', async ({
    page,
    server,
  }) => {
    await openLong(page, server);
    const number = page.getByRole('heading', { level: 1 });
    const parts = {
      number,
      status: page.getByRole('main').locator('header').getByText('New', { exact: true }),
      name: person(page),
      'first action': actions(page).getByRole('button').first(),
      comment: page.getByRole('button', { name: 'Save Comment' }),
      recipient: mails(page).getByLabel('Email', { exact: true }),
      upload: mails(page).getByRole('button', { name: 'Upload and email via AWS' }),
      resend: mails(page).getByRole('button', { name: 'Resend via AWS' }),
      'download link': mails(page).getByRole('button', { name: 'Sent Mail' }),
    };
    const toTheEnd = () =>
      page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: HEIGHT });
      const isWide = width >= FIRST_WIDE;
      await expect(page.getByRole('tablist')).toHaveCount(isWide ? 0 : 1);
      const [work, papers] = await Promise.all(
        [mails(page), page.getByRole('region', { name: 'Documents' })].map((it) =>
          it.evaluate((element) => element.getBoundingClientRect().toJSON() as DOMRect),
        ),
      );
      const message = `at ${width} px`;
      if (isWide) expect(work!.left, message).toBeGreaterThan(papers!.right);
      else expect(work!.bottom, message).toBeLessThan(papers!.top);

      for (const [name, part] of Object.entries(parts)) {
        await expect.poll(() => coveredPoints(part), { message: `${name} ${message}` }).toEqual([]);
      }

      await toTheEnd();
      if (width < FIRST_TABLET) continue;
      const move = page.getByRole('button', { name: 'Move to', exact: true });
      for (const part of [number, person(page), move]) {
        await expect(part).toBeInViewport({ ratio: 1 });
      }
    }
    await page.setViewportSize({ width: 390, height: HEIGHT });
    await toTheEnd();
    await expect(actions(page).getByRole('button', { name: 'Move' })).toBeInViewport({ ratio: 1 });
  });

  test('finds nothing focused behind what stays in view', async ({ page, server }) => {
    await openLong(page, server);
    for (const width of [1440, 900, 390]) {
      await page.setViewportSize({ width, height: 700 });
      await startAtTheTop(page);
      const covered: string[] = [];
      for (let step = 0; step < 140; step += 1) {
        await page.keyboard.press('Tab');
        const found = await page.evaluate(() => {
          const element = document.activeElement;
          if (!element || element === document.body || !element.closest('main')) return null;
          const { left, right, top, bottom } = element.getBoundingClientRect();
          const [middle, low] = [(left + right) / 2, Math.min(bottom, top + 40)];
          const seen = document.elementFromPoint(middle, (top + low) / 2);
          const isSeen = seen !== null && (element.contains(seen) || seen.contains(element));
          return isSeen ? null : element.outerHTML.slice(0, 120);
        });
        if (found !== null) covered.push(found);
      }
      expect(covered, `at ${width} px`).toEqual([]);
    }
  });

  readingTest('chooses the tabs by keyboard, and reaches one by the address', async ({ page }) => {
    await openSeeded(page);
    await page.setViewportSize({ width: 900, height: HEIGHT });
    await tabTo(page, tab(page, 'Documents'));
    for (const [key, chosen] of [
      ['ArrowRight', 'Data'],
      ['ArrowRight', 'Histories'],
      ['End', 'Defence'],
      ['ArrowRight', 'Documents'],
      ['ArrowLeft', 'Defence'],
      ['Home', 'Documents'],
    ] as const) {
      await page.keyboard.press(key);
      await expect(tab(page, chosen)).toBeFocused();
      await expect(tab(page, chosen)).toHaveAttribute('aria-selected', 'true');
      await expect(page.getByRole('tabpanel')).toHaveCount(1);
      await expect(page.getByRole('tabpanel', { name: new RegExp(`^${chosen}`) })).toBeVisible();
    }
    await page.goto(`${page.url()}#histories`);
    await page.reload();
    await expect(tab(page, 'Histories')).toHaveAttribute('aria-selected', 'true');
    await expect(page.getByRole('heading', { name: 'Comment History' })).toBeInViewport();
  });

  test('keeps a draft, a recipient and a chosen file while tabs and widths change', async ({
    page,
    server,
  }) => {
    await openLong(page, server);
    await remark(page).fill('Called, sends the statement');
    await mails(page).getByLabel('Email', { exact: true }).fill('ann@traveller.example');
    await mails(page).getByLabel('Visa', { exact: true }).setInputFiles(visaFile('A visa'));
    await page.setViewportSize({ width: 900, height: HEIGHT });
    for (const name of TABS) await tab(page, name).click();
    await page.setViewportSize({ width: 390, height: HEIGHT });
    for (const name of TABS) await tab(page, name).click();
    await page.setViewportSize({ width: 1440, height: HEIGHT });
    await expect(remark(page)).toHaveValue('Called, sends the statement');
    await expect(mails(page).getByLabel('Email', { exact: true })).toHaveValue(
      'ann@traveller.example',
    );
    await expect(mails(page).getByText('e-visa.pdf')).toBeVisible();
  });

  test('moves an order on a phone with the keyboard alone', async ({ page, server }) => {
    await openLong(page, server);
    await page.setViewportSize({ width: 390, height: HEIGHT });
    const move = actions(page).getByRole('button', { name: 'Move' });
    await tabTo(page, move);
    await page.keyboard.press('Enter');
    await expect(sheet(page)).toBeVisible();
    await expect(sheet(page).getByRole('button').first()).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(sheet(page)).toBeHidden();
    await expect(move).toBeFocused();
    await page.keyboard.press('Enter');
    await tabTo(page, sheet(page).getByRole('button', { name: 'Awaiting Govt' }));
    await page.keyboard.press('Enter');
    await expectToast(page, 'status', 'Order has been moved to Awaiting Govt successfully');
    await expect(sheet(page)).toBeHidden();
  });

  readingTest('reads histories without the id of the page, which is printed', async ({ page }) => {
    await openSeeded(page);
    const history = page.getByRole('region', { name: 'Email History' });
    const heads = history.getByRole('columnheader');
    const shown = ['#', 'Download Link', 'Date and Time', 'Mail Provider', 'State'];
    await expect(heads).toHaveText(shown);
    await page.emulateMedia({ media: 'print' });
    await expect(heads).toHaveText(['#', 'Order Id', ...shown.slice(1)]);
  });

  readingTest(
    'finds histories folded with their counts, opens one for good, and prints all',
    async ({ page }) => {
      await openSeeded(page);
      await page.evaluate(() => localStorage.removeItem('visadesk.unfolded'));
      await page.reload();
      const history = page.getByRole('region', { name: 'Email History' });
      const table = history.getByRole('table');
      await expect(history).toContainText(/^Email History\d+/);
      await expect(table).toBeHidden();
      await expectNoLayoutShift(page);
      await expectToFit(page, 'detail-folded');
      await page.setViewportSize({ width: 1440, height: HEIGHT });
      await page.emulateMedia({ media: 'print' });
      await expect(table).toBeVisible();
      await page.emulateMedia({ media: 'screen' });
      await history.getByRole('button', { name: 'Email History' }).click();
      await expect(table).toBeVisible();
      await page.reload();
      await expect(table).toBeVisible();
      await expect(
        page.getByRole('region', { name: 'Timeline' }).getByRole('listitem'),
      ).toHaveCount(0);
      // The tab has room for its part.
      await page.setViewportSize({ width: 900, height: HEIGHT });
      await tab(page, 'Timeline').click();
      await expect(
        page.getByRole('region', { name: 'Timeline' }).getByRole('listitem').first(),
      ).toBeVisible();
    },
  );

  test('finds no fault of accessibility and nothing moved at every width', async ({
    page,
    server,
  }) => {
    await openLong(page, server);
    for (const { width, colorScheme } of LOOKS) {
      const expectNoFault = colorScheme === 'light' ? expectAccessible : expectReadableInDark;
      const look = `${width} px, ${colorScheme}`;
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: HEIGHT });
      await page.reload();
      await expect(page.getByText('No other order has the same')).toBeVisible();
      await expectLoaded(page);
      await expectNoLayoutShift(page);
      await expectNoFault(page, look);
      if (width < FIRST_WIDE) {
        for (const name of TABS) {
          await tab(page, name).click();
          // A control that is half behind the bar of the order would count as too small.
          await page.evaluate(() => window.scrollTo(0, 0));
          await expectNoFault(page, `${name}, ${look}`);
        }
      }
      await page.keyboard.press('m');
      await expect(sheet(page)).toBeVisible();
      await expectNoFault(page, `sheet, ${look}`);
    }
  });

  readingTest('finds the screen dark from its first paint', async ({ page }) => {
    await openSeeded(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    // What is painted before any script has run.
    const nothing = { contentType: 'text/javascript', body: '' };
    await page.route('**/*.js', (route) => route.fulfill(nothing));
    await page.reload({ waitUntil: 'load' });
    const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(ground).toBe('rgb(16, 21, 28)');
  });

  test('sees an almost empty order that fits every width, in each tab', async ({
    page,
    server,
  }) => {
    await openLong(page, server);
    await expectToFit(page, 'detail-empty');
    await page.setViewportSize({ width: 900, height: HEIGHT });
    for (const name of TABS) {
      await tab(page, name).click();
      await expectToFit(page, `detail-${name.toLowerCase()}`);
      await page.setViewportSize({ width: 900, height: HEIGHT });
    }
  });
});

test.describe('with a touch screen, an Admin', () => {
  test.use({ as: 'Admin', hasTouch: true });

  test('moves and deletes an order by the sheet, and closes it beside it', async ({
    page,
    server,
  }) => {
    await server.importOrders([{ external_reference: 'TOUCH-1' }]);
    await page.goto('/admin/recent-order');
    await open(page, 'Traveller TOUCH-1');
    await page.setViewportSize({ width: 390, height: 844 });
    const move = actions(page).getByRole('button', { name: 'Move' });
    await move.tap();
    await expect(sheet(page)).toBeInViewport();
    // Once it has risen.
    const bottom = () => sheet(page).evaluate((it) => it.getBoundingClientRect().bottom);
    await expect.poll(bottom).toBe(844);
    await page.touchscreen.tap(195, 60);
    await expect(sheet(page)).toBeHidden();
    await move.tap();
    await sheet(page).getByRole('button', { name: 'Contact Customer' }).tap();
    await expectToast(page, 'status', 'Order has been moved to Contact Customer successfully');
    await expect(actions(page)).toHaveAttribute('aria-busy', 'false');
    await move.tap();
    await sheet(page)
      .getByRole('button', { name: /^Delete/ })
      .tap();
    await confirm(page, 'Are you sure you want to delete?');
    await expectToast(page, 'status', 'Order has been deleted successfully');
  });
});
