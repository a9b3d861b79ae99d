import type { Locator, Page } from '@playwright/test';

import { endSessionAt } from '../support/sessions.ts';
import { expectToast, open } from '../support/staffActions.ts';
import { STAFF } from '../support/staff.ts';
import { expect, test } from '../support/test.ts';

test.use({ as: 'Telecaller' });

const remark = (page: Page): Locator => page.getByRole('textbox', { name: 'Add Comment Below' });
const box = (page: Page, name: string): Locator =>
  page.getByRole('checkbox', { name, exact: true });
const save = (page: Page): Locator => page.getByRole('button', { name: 'Save Comment' });
const history = (page: Page): Locator => page.getByRole('region', { name: 'Comment History' });

async function openNew(page: Page, name: string): Promise<void> {
  await page.goto('/admin/recent-order');
  await open(page, name);
}

test('a remark is saved with its flags, and can be shown and hidden', async ({ page, server }) => {
  await server.importOrders([{ external_reference: 'TALK-1' }]);
  await openNew(page, 'Traveller TALK-1');
  await save(page).click();
  await expect(page.getByText('Please enter your remark')).toBeVisible();

  await remark(page).fill('Called: <b>sends</b> the statement tomorrow.\nجواز السفر');
  await box(page, 'Telephone').check();
  await box(page, 'Chargeback').check();
  await save(page).click();
  await expectToast(page, 'status', 'The remark has been added successfully');
  await expect(remark(page)).toHaveValue('');
  await expect(box(page, 'Telephone')).not.toBeChecked();

  const row = history(page).getByRole('row').nth(1);
  await expect(row).toContainText(STAFF.Telecaller.name);
  const newest = page.getByRole('region', { name: 'Newest comment' });
  await expect(newest).toContainText('sends</b> the statement tomorrow.');
  await expect(newest).toBeInViewport();
  await expect(history(page).getByText(/sends<\/b> the statement/)).toBeVisible();
  for (const [flag, value] of [
    ['Whatsapp', 'N'],
    ['Telephone', 'Y'],
    ['Refund', 'N'],
    ['Voided', 'N'],
    ['Chargeback', 'Y'],
    ['ReportError', 'N'],
  ] as const) {
    const term = history(page)
      .getByRole('term')
      .filter({ hasText: new RegExp(`^${flag}$`) });
    await expect(term.locator('xpath=following-sibling::dd[1]')).toHaveText(value);
  }
  await history(page).getByRole('button', { name: 'Hide comment 1' }).click();
  await expect(history(page).getByText(/sends<\/b> the statement/)).toBeHidden();
});

test('a draft survives another order, a reload and a failed save', async ({ page, server }) => {
  await server.importOrders([{ external_reference: 'TALK-2' }, { external_reference: 'TALK-3' }]);
  await openNew(page, 'Traveller TALK-2');
  await remark(page).fill('She will send');
  await box(page, 'Whatsapp').check();

  await openNew(page, 'Traveller TALK-3');
  await expect(remark(page)).toHaveValue('');
  await openNew(page, 'Traveller TALK-2');
  await expect(remark(page)).toHaveValue('She will send');
  await page.reload();
  await expect(remark(page)).toHaveValue('She will send');
  await expect(box(page, 'Whatsapp')).toBeChecked();

  await page.context().setOffline(true);
  await save(page).click();
  await expectToast(page, 'alert', 'The server cannot be reached');
  await expect(remark(page)).toHaveValue('She will send');
  await page.context().setOffline(false);
  await save(page).click();
  await expect(history(page).getByRole('button', { name: /comment \d/ })).toHaveCount(1);
});

test('a draft survives the end of the session', async ({ page, server }) => {
  await server.importOrders([{ external_reference: 'TALK-4' }]);
  await openNew(page, 'Traveller TALK-4');
  await remark(page).fill('She will send it on Monday');
  await endSessionAt(page, server, 'add-new-remark');
  await save(page).click();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();

  const again = await server.signIn('Telecaller');
  await page.evaluate((accessToken) => {
    localStorage.setItem('user', JSON.stringify({ accessToken }));
  }, again);
  await openNew(page, 'Traveller TALK-4');
  await expect(remark(page)).toHaveValue('She will send it on Monday');
});
