/** The menu of a row, where the row has no room for its actions. */

import { confirm, expectToast, row } from '../support/staffActions.ts';
import { expect, test } from '../support/test.ts';
import { expectAccessibleInBothSchemes } from '../support/visualChecks.ts';

test.use({ as: 'Admin' });

for (const width of [820, 390]) {
  test(`at ${width} px the menu of a row views, calls and deletes its order`, async ({
    page,
    server,
  }) => {
    await server.importOrders([{ external_reference: 'MENU-1' }]);
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/admin/recent-order');
    const order = row(page, 'Traveller MENU-1');
    const button = order.getByRole('button', { name: /^Actions of/ });
    const menu = page.getByRole('menu', { name: /^Order \d+/ });
    const item = (name: RegExp) => menu.getByRole('menuitem', { name });

    await button.focus();
    await page.keyboard.press('Enter');
    await expect(item(/^View \d+/)).toBeFocused();
    await expect(item(/^Call/)).toHaveAttribute('href', 'tel:+6281234567890');
    await expectAccessibleInBothSchemes(page, `menu at ${width} px`);
    await page.keyboard.press('Escape');
    await expect(menu).toBeHidden();
    await expect(button).toBeFocused();

    await button.click();
    await item(/^View \d+/).click();
    await expect(page.getByRole('heading', { level: 1, name: /^Order \d+/ })).toBeVisible();
    await page.goBack();

    await button.click();
    await item(/^Delete \d+/).click();
    const question = page.getByRole('dialog');
    await expect(question).toContainText('Are you sure you want to delete?');
    await page.keyboard.press('Escape');
    await expect(question).toBeHidden();
    await expect(button).toBeFocused();
    await button.click();
    await item(/^Delete \d+/).click();
    await confirm(page, 'Are you sure you want to delete?');
    await expectToast(page, 'status', 'Order has been deleted successfully');
    await expect(order).toHaveCount(0);
  });
}
