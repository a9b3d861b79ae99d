/** The command palette, by keyboard alone unless the test is about a pointer. */

import type { Locator, Page } from '@playwright/test';

import { expectToast, loadedRows, row, select } from '../support/staffActions.ts';
import { STAFF } from '../support/staff.ts';
import { expect, readingTest, test } from '../support/test.ts';
import { inspect } from '../support/visualChecks.ts';

const FIND = 'Find an order, folder or action';
const WILHELMINA = {
  external_reference: 'PALETTE-1',
  full_name: 'Wilhelmina Okonkwo',
  contact_email_address: 'wilhelmina@traveller.example',
};

const dialog = (page: Page): Locator => page.getByRole('dialog', { name: 'Find' });
const options = (page: Page): Locator => dialog(page).getByRole('option');

async function openPalette(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: FIND })).toBeFocused();
  await page.keyboard.type(text);
}

/** The id of the order that the text finds, which is the only one. */
async function idOf(page: Page, text: string): Promise<string> {
  await openPalette(page, text);
  await expect(options(page)).toHaveCount(1);
  const found = await options(page).innerText();
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toBeHidden();
  return /\d+/.exec(found)![0];
}

test.describe('an Admin', () => {
  test.use({ as: 'Admin' });

  test('finds an order by its number, its VD- number, a name and an email', async ({
    page,
    server,
  }) => {
    await server.importOrders([WILHELMINA]);
    await page.goto('/admin/recent-order');
    await expect(loadedRows(page)).toHaveCount(10);
    const id = await idOf(page, 'okonkwo');
    const heading = page.getByRole('heading', { level: 1 });
    for (const text of [id, `vd-${id}`, 'wilhelmina ok', 'wilhelmina@traveller']) {
      await openPalette(page, text);
      await expect(options(page)).toHaveText([
        new RegExp(`^(VD-)?${id}.*Wilhelmina Okonkwo.*New Orders`, 's'),
      ]);
      await page.keyboard.press('Enter');
      await expect(heading).toHaveText(`Order ${id}`);
      await expect(page.getByRole('main')).toBeFocused();
      await page.goBack();
      await expect(heading).toHaveText('New Orders');
    }
  });

  test('opens an order with Enter before it is found', async ({ page, server }) => {
    await server.importOrders([WILHELMINA]);
    await page.goto('/admin');
    await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
    await openPalette(page, 'wilhelmina@traveller.example');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: /^Order \d/ })).toBeVisible();
  });

  test('runs an action on the selected orders, and undoes it', async ({ page, server }) => {
    await server.importOrders([WILHELMINA]);
    await page.goto('/admin/recent-order');
    await expect(loadedRows(page)).toHaveCount(10);
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await openPalette(page, 'assign');
    await expect(options(page)).toHaveText(/Assign to me…\s*1 selected/);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog')).toContainText('Are you sure want to assigned orders.');
    await page.keyboard.press('Enter');
    await expectToast(page, 'status', 'Order has been assigned successfully');
    await expect(row(page, WILHELMINA.full_name).getByTitle(/^Assigned to/)).toHaveCount(0);
    await openPalette(page, 'undo');
    await expect(options(page)).toHaveText(/Undo\s*Order has been assigned successfully/);
    await page.keyboard.press('Enter');
    await expectToast(page, 'status', /^Undone: /);
    await expect(row(page, WILHELMINA.full_name)).toBeVisible();
  });

  readingTest('keeps the focus in it, and gets it back where it was', async ({ page }) => {
    await page.goto('/admin/recent-order');
    await expect(loadedRows(page)).toHaveCount(10);
    const search = page.getByRole('searchbox');
    await search.focus();
    await openPalette(page, 'order');
    for (let presses = 0; presses < 6; presses += 1) {
      await page.keyboard.press('Tab');
      const isOutside = await dialog(page).evaluate(
        (element) =>
          document.activeElement !== document.body && !element.contains(document.activeElement),
      );
      expect(isOutside, 'focus behind the palette').toBe(false);
    }
    await page.keyboard.press('Escape');
    await expect(dialog(page)).toBeHidden();
    await expect(search).toBeFocused();

    await page.getByRole('button', { name: FIND }).click();
    await expect(dialog(page)).toBeVisible();
    await page.mouse.click(20, 800);
    await expect(dialog(page)).toBeHidden();
    await expect(page.getByRole('button', { name: FIND })).toBeFocused();
  });

  readingTest(
    'moves through the results with the arrow keys, which stay in view',
    async ({ page }) => {
      await page.goto('/admin');
      await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
      await openPalette(page, '');
      const active = dialog(page).getByRole('option', { selected: true });
      const last = options(page).last();
      await page.keyboard.press('ArrowUp');
      await expect(last).toHaveAttribute('aria-selected', 'true');
      await expect(last).toBeInViewport({ ratio: 1 });
      await page.keyboard.press('ArrowDown');
      await expect(options(page).first()).toHaveAttribute('aria-selected', 'true');
      await expect(active).toBeInViewport({ ratio: 1 });
      const id = await active.getAttribute('id');
      await expect(page.getByRole('combobox', { name: FIND })).toHaveAttribute(
        'aria-activedescendant',
        id!,
      );
    },
  );

  test('fits every width', async ({ page, server }) => {
    const name = 'Maximiliana Wilhelmina von Hohenlohe-Schillingsfürst-Waldenburg';
    await server.importOrders([
      WILHELMINA,
      {
        external_reference: 'PALETTE-2',
        full_name: name,
        contact_email_address: 'maximiliana.wilhelmina.von.hohenlohe@very-long-domain.example',
        process_status: 'Contact Customer',
      },
      { external_reference: 'PALETTE-3', full_name: 'Deniz Wilh', process_status: 'ChargeBack' },
    ]);
    await page.goto('/admin/recent-order');
    await select(page, WILHELMINA.full_name);
    await openPalette(page, 'wilh');
    // And all of them as a list.
    await expect(options(page)).toHaveCount(4);
    await inspect(page, 'palette');
    await page.getByRole('combobox', { name: FIND }).fill('');
    await expect(options(page).first()).toContainText('Assign to me');
    await inspect(page, 'palette-actions');
    await page.getByRole('combobox', { name: FIND }).fill('no such thing');
    await expect(dialog(page).getByRole('status')).toHaveText(/^No order, folder or action/);
    await inspect(page, 'palette-empty');
  });
});

test.describe('a Telecaller', () => {
  test.use({ as: 'Telecaller' });

  test('is offered only the screens, orders and actions that it may have', async ({
    page,
    server,
  }) => {
    await server.importOrders([
      WILHELMINA,
      { external_reference: 'PALETTE-2', full_name: 'Deniz Okonkwo' },
    ]);
    await page.goto('/admin/recent-order');
    await select(page, WILHELMINA.full_name);
    await openPalette(page, '');
    const all = (await options(page).allInnerTexts()).map((text) => text.split('\n')[0]);
    expect(all).toEqual(expect.arrayContaining(['Assign to me…', 'New Orders', 'Change Password']));
    for (const hidden of ['Delete Order', 'Order History', 'Manage Team', 'Audit', 'API Keys']) {
      expect(all).not.toContain(hidden);
    }
    // The New order of another member is only in Order History.
    await page.keyboard.type('okonkwo');
    await expect(options(page)).toHaveCount(2);
    await page.keyboard.press('Escape');
    const id = Number(await idOf(page, 'deniz okonkwo'));
    await server.call('Team', 'PUT', 'admin/assign-order-status', {
      orderId: [id],
      assignto: STAFF.Team.name,
    });
    await openPalette(page, 'deniz okonkwo');
    await expect(dialog(page).getByRole('status')).toHaveText(/^No order, folder or action/);
  });
});

test.describe('a member', () => {
  test.use({ as: 'Team' });

  readingTest(
    'the menu of the account closes by a second click, a click elsewhere and Escape',
    async ({ page }) => {
      await page.goto('/admin');
      const button = page.getByRole('button', { name: /^Welcome/ });
      const menu = page.getByRole('menu', { name: 'Account' });
      for (const close of [
        () => button.click(),
        () => page.mouse.click(500, 600),
        () => page.keyboard.press('Escape'),
      ]) {
        await button.click();
        await expect(menu).toBeVisible();
        await expect(menu.getByRole('menuitem').first()).toBeFocused();
        await close();
        await expect(menu).toBeHidden();
        await expect(button).toHaveAttribute('aria-expanded', 'false');
      }
      await expect(button).toBeFocused();
    },
  );
});
