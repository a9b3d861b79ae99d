import { sidebarCount } from '../support/staffActions.ts';
import { expectAccessible, expectNoLayoutShift, inspect } from '../support/visualChecks.ts';
import { STAFF } from '../support/staff.ts';
import { expect, readingTest, signInAs, test } from '../support/test.ts';

/** The five tiles: their title, where they lead, and the count they show. */
const TILES = [
  ['My Orders', '/admin/my-order', 'myOrdersCount'],
  ['New Orders', '/admin/recent-order', 'newOrdersCount'],
  ['Priority Orders', '/admin/priority-order', 'priorityOrdersCount'],
  ['Pending Orders', '/admin/pending-order', 'pendingOrdersCount'],
  ['Completed Orders', '/admin/completed-order', 'completedOrdersCount'],
] as const;

/** The relative luminance of a colour, as WCAG defines it. */
function luminance(color: string): number {
  const [red, green, blue] = color.match(/[\d.]+/g)!.map((part) => {
    const value = Number(part) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

test.describe('an Admin', () => {
  test.use({ as: 'Admin' });

  readingTest(
    'sees five tiles with the server’s counts, each leading to its list',
    async ({ page }) => {
      const answered = page.waitForResponse('**/api/admin/get-all-folder-count*');
      await page.goto('/admin');
      const { data } = (await (await answered).json()) as { data: Record<string, number> };

      for (const [title, path, key] of TILES) {
        const tile = page.getByRole('main').getByRole('link', { name: new RegExp(`^${title}`) });
        await expect(tile).toContainText(String(data[key]));
        await expect.poll(() => sidebarCount(page, title)).toBe(data[key]);
        await tile.click();
        await expect(page).toHaveURL(path);
        await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible();
        await page.goBack();
      }
      const tiles = page.getByRole('main').getByRole('list').first();
      await expect(tiles.getByRole('link')).toHaveCount(TILES.length);
    },
  );

  readingTest('sees the same tab title on every page', async ({ page }) => {
    await page.goto('/admin');
    await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
    const title = await page.title();
    expect(title).toBe('Visadesk');
    await page.getByRole('link', { name: /^Order History/ }).click();
    await expect(page.getByRole('heading', { name: 'Order History' })).toBeVisible();
    expect(await page.title()).toBe(title);
  });

  readingTest(
    'opens the sidebar on a small screen, and it closes on navigation',
    async ({ page }) => {
      await page.setViewportSize({ width: 390, height: 800 });
      await page.goto('/admin');
      const sidebar = page.getByRole('navigation', { name: 'Main' });
      await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
      await expect(sidebar).not.toBeInViewport();

      await page.getByRole('button', { name: 'Open menu' }).click();
      await expect(sidebar).toBeInViewport();
      await sidebar.getByRole('link', { name: /^Refunds/ }).click();
      await expect(page.getByRole('heading', { name: 'Refunds' })).toBeVisible();
      await expect(sidebar).not.toBeInViewport();
    },
  );

  readingTest(
    'the menu of a small screen keeps the focus, and Escape or a click beside it closes it',
    async ({ page }) => {
      await page.setViewportSize({ width: 390, height: 800 });
      await page.goto('/admin');
      await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
      const menu = page.getByRole('dialog', { name: 'Menu' });
      await page.getByRole('button', { name: 'Open menu' }).click();
      for (let presses = 0; presses < 40; presses += 1) {
        await page.keyboard.press('Tab');
        const isOutside = await menu.evaluate(
          (dialog) =>
            document.activeElement !== document.body && !dialog.contains(document.activeElement),
        );
        expect(isOutside, 'focus behind the menu').toBe(false);
      }
      await expectAccessible(page, 'menu');
      await page.keyboard.press('Escape');
      await expect(menu).toBeHidden();
      await page.getByRole('button', { name: 'Open menu' }).click();
      await page.mouse.click(380, 400);
      await expect(menu).toBeHidden();
    },
  );

  readingTest(
    'a change of screen moves the focus to the content and is announced',
    async ({ page }) => {
      await page.goto('/admin');
      await page
        .getByRole('navigation', { name: 'Main' })
        .getByRole('link', { name: /^Refunds/ })
        .click();
      await expect(page.getByRole('main')).toBeFocused();
      await expect(page.locator('span[aria-live="polite"]')).toHaveText('Refunds');
    },
  );

  readingTest(
    'sees the sidebar 300 pixels wide, with the current page marked',
    async ({ page }) => {
      await page.goto('/admin/awaiting-govt');
      const sidebar = page.getByRole('navigation', { name: 'Main' });
      await expect(sidebar.getByRole('link', { name: /^Awaiting Govt/ })).toHaveAttribute(
        'aria-current',
        'page',
      );
      expect((await sidebar.boundingBox())?.width).toBe(300);
    },
  );

  test('folds the sidebar for good, and the content gets its room', async ({ page }) => {
    await page.setViewportSize({ width: 1024, height: 768 });
    await page.goto('/admin/recent-order');
    const sidebar = page.getByRole('navigation', { name: 'Main' });
    const content = page.getByRole('heading', { name: 'New Orders' });
    const left = async () => (await content.boundingBox())!.x;
    await expect(page.getByRole('columnheader', { name: 'Telephone' })).toHaveCount(0);
    await page.getByRole('button', { name: 'Hide sidebar' }).click();
    await expect(sidebar).toHaveCount(0);
    expect(await left()).toBeLessThan(100);
    await expect(page.getByRole('columnheader', { name: 'Telephone' })).toBeVisible();

    await page.reload();
    await expect(content).toBeVisible();
    await expect(sidebar).toHaveCount(0);
    await expectNoLayoutShift(page);
    await page
      .getByRole('link', { name: /^View \d/ })
      .first()
      .click();
    await expect(page.getByRole('heading', { level: 1, name: /^Order \d/ })).toBeVisible();
    await expect(page.getByRole('tablist', { name: 'Parts of the order' })).toHaveCount(0);
    const viewer = await page.getByRole('region', { name: 'Documents', exact: true }).boundingBox();
    const data = await page.locator('#part-data').boundingBox();
    expect(viewer!.x + viewer!.width).toBeLessThanOrEqual(data!.x);
    await page.keyboard.press('s');
    await expect(sidebar).toBeVisible();
  });

  readingTest(
    'has the sidebar in a drawer up to 991 pixels, and cards for rows up to 767',
    async ({ page }) => {
      await page.goto('/admin/recent-order');
      const sidebar = page.getByRole('navigation', { name: 'Main' });
      const menu = page.getByRole('button', { name: 'Open menu' });
      const heads = page.getByRole('columnheader', { name: 'Order Id' });
      const content = page.getByRole('heading', { name: 'New Orders' });
      const left = async () => (await content.boundingBox())!.x;
      await expect(heads).toBeVisible();

      await page.setViewportSize({ width: 992, height: 800 });
      await expect(sidebar).toBeInViewport();
      await expect(menu).toHaveCount(0);
      expect(await left()).toBeGreaterThan(300);
      await page.setViewportSize({ width: 991, height: 800 });
      await expect(sidebar).not.toBeInViewport();
      await expect(menu).toBeVisible();
      expect(await left()).toBeLessThan(100);

      await page.setViewportSize({ width: 768, height: 800 });
      await expect(heads).toBeVisible();
      await page.setViewportSize({ width: 767, height: 800 });
      await expect(heads).toBeHidden();
    },
  );

  readingTest(
    'sees a dashboard that fits every width, tiles without a hole and bars in both schemes',
    async ({ page }) => {
      await page.goto('/admin');
      await expect(
        page.getByRole('main').getByRole('link', { name: /^Completed Orders\s*\d/ }),
      ).toBeVisible();
      await expect(page.getByRole('region', { name: 'Needs attention' })).toBeVisible();
      await inspect(page, 'home');

      const tiles = page.getByRole('main').getByRole('list').first().getByRole('listitem');
      await expect(tiles).toHaveCount(TILES.length);
      const places = () => tiles.evaluateAll((all) => all.map((it) => it.getBoundingClientRect()));
      for (const width of [1440, 1024, 900, 768]) {
        await page.setViewportSize({ width, height: 900 });
        await expect
          .poll(
            async () => new Set((await places()).map(({ top }) => top)).size,
            `lines at ${width} px`,
          )
          .toBe(1);
      }
      // On a phone the last one is as wide as two.
      await page.setViewportSize({ width: 390, height: 900 });
      await expect
        .poll(async () => {
          const [first, second, , , last] = await places();
          return last!.left === first!.left && last!.right === second!.right;
        })
        .toBe(true);

      const chart = page.getByRole('region', { name: '30 days' });
      await expect(chart).toBeVisible();
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        for (const series of ['in', 'done']) {
          const bar = chart.locator(`rect[data-series="${series}"]`).first();
          const colors = [
            await bar.evaluate((it) => getComputedStyle(it).fill),
            await chart.evaluate((it) => getComputedStyle(it).backgroundColor),
          ];
          const [darker, lighter] = colors.map(luminance).toSorted((one, other) => one - other);
          // What WCAG 1.4.11 asks of graphics; axe looks at text alone.
          const contrast = (lighter! + 0.05) / (darker! + 0.05);
          expect(contrast, `${series}, ${colorScheme}`).toBeGreaterThanOrEqual(3);
        }
      }
    },
  );

  readingTest('opens an order that needs attention with the keyboard alone', async ({ page }) => {
    await page.goto('/admin');
    const order = page
      .getByRole('region', { name: 'Needs attention' })
      .getByRole('listitem')
      .first();
    const link = order.getByRole('link');
    const number = /\d{6}/.exec((await link.textContent()) ?? '')?.[0];
    await link.focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: `Order ${number}` })).toBeVisible();
  });
});

readingTest('all but a Telecaller see Order History in the sidebar', async ({ page, server }) => {
  for (const type of ['Admin', 'Manager', 'Team', 'Night Staff', 'Telecaller'] as const) {
    await signInAs(page, server, type);
    await page.goto('/admin');
    await expect(page.getByText(`Welcome, ${STAFF[type].name}`)).toBeVisible();
    await expect(page.getByRole('link', { name: /^Refunds/ })).toBeVisible();
    const history = page.getByRole('link', { name: /^Order History/ });
    await expect(history, type).toHaveCount(type === 'Telecaller' ? 0 : 1);
  }
});
