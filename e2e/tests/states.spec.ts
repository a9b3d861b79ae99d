/** States between the screens, drawn to be looked at. Only `cargo xtask pictures` runs this, because nothing is compared. */

import { openFirst, openList, Pictures, test } from '../support/pictures.ts';
import { confirm } from '../support/staffActions.ts';
import { expect } from '../support/test.ts';

test.use({ as: 'Admin' });

test('the states between the screens are drawn', async ({ page }) => {
  const pictures = await Pictures.open(page);
  const show = async (width: number) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await openList(page, '/admin/recent-order');
    await page.setViewportSize({ width, height: 900 });
  };

  for (const width of [900, 390]) {
    await show(width);
    await page.getByRole('button', { name: 'Open menu' }).click();
    await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible();
    await pictures.draw('drawer');
    await page.keyboard.press('Escape');
    await page
      .getByRole('button', { name: /^Actions of/ })
      .nth(1)
      .click();
    await expect(page.getByRole('menu')).toBeVisible();
    await pictures.draw('row-menu');
    await page.keyboard.press('Escape');
  }

  for (const width of [1440, 1024]) {
    await show(width);
    await page.getByRole('button', { name: /^Columns/ }).click();
    await expect(page.getByRole('group', { name: 'Columns' })).toBeVisible();
    await pictures.draw('columns');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Compact' }).click();
    await pictures.draw('compact');
    await page.getByRole('button', { name: 'Compact' }).click();
  }

  for (const width of [1440, 390]) {
    await show(width);
    await page.getByRole('row').nth(1).getByRole('checkbox').check();
    await page.keyboard.press('a');
    await confirm(page, 'Are you sure');
    // Under the pointer it stays.
    await page.getByRole('button', { name: 'Undo' }).hover();
    await pictures.draw('toast');
    await page.getByRole('button', { name: /^Find an order/ }).click();
    await page.getByRole('dialog', { name: 'Find' }).getByRole('combobox').fill('co');
    await expect(page.getByRole('option', { name: /^Completed Orders/ })).toBeVisible();
    await pictures.draw('palette-typed');
    await page.keyboard.press('Escape');

    await page.route('**/api/admin/get-orders-list/**', () => undefined);
    await page.goto('/admin/pending-order');
    const waiting = page.locator('[class*="_skeleton_"]').filter({ visible: true });
    await expect(waiting.first()).toBeVisible();
    await pictures.draw('waiting');
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  }

  await page.setViewportSize({ width: 1440, height: 900 });
  await openFirst(page, '/admin/completed-order');
  await page.mouse.wheel(0, 700);
  await pictures.draw('detail-scrolled');
  for (const width of [1024, 390]) {
    await page.setViewportSize({ width, height: 900 });
    for (const name of ['Documents', 'Data', 'Histories', 'Timeline']) {
      await page.getByRole('tab', { name }).click();
      await page.getByRole('tabpanel').evaluate((it) => it.scrollIntoView({ block: 'start' }));
      await pictures.draw(`tab-${name.toLowerCase()}`);
    }
  }
  await page
    .getByRole('region', { name: 'Actions' })
    .getByRole('button', { name: 'Move', exact: true })
    .click();
  await expect(page.getByRole('dialog', { name: /^Move order/ })).toBeVisible();
  await pictures.draw('move-sheet');
});
