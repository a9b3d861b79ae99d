/** Staff correct what a customer entered, and add orders by phone. */

import type { Page } from '@playwright/test';

import { expectToast, open, search } from '../support/staffActions.ts';
import { inspectState } from '../support/visualChecks.ts';
import { expect, test } from '../support/test.ts';

const fact = (page: Page, label: string) =>
  page
    .getByRole('term')
    .filter({ hasText: new RegExp(`^${label}$`) })
    .locator('xpath=following-sibling::dd[1]');

test.describe('a Team member', () => {
  test.use({ as: 'Team' });

  test('corrects an order with the keyboard and sees what the customer sent', async ({
    page,
    server,
  }) => {
    await server.importOrders([{ external_reference: 'FIX-1', document_number: 'PA1234567' }]);
    await page.goto('/admin/recent-order');
    await search(page, 'FIX-1');
    await open(page, 'FIX-1');
    await page.getByRole('button', { name: 'Correct: Document Information' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByRole('textbox', { name: 'Document Type' })).toBeFocused();
    const number = dialog.getByRole('textbox', { name: 'Document Number' });
    await number.fill('PA7654321');
    await inspectState(page, 'correct-order');
    const expiry = dialog.getByRole('textbox', { name: 'Date of Expiry' });
    await expiry.fill('31-13-2030');
    await page.keyboard.press('Enter');
    await expect(dialog).toContainText('must be a date');
    await expiry.fill('31-12-2030');
    await page.keyboard.press('Enter');
    await expectToast(page, 'status', '2 fields were corrected');
    await expect(dialog).toBeHidden();
    await expect(fact(page, 'Document Number')).toContainText('originally PA1234567');
    await expect(fact(page, 'Document Number')).toContainText('PA7654321');
    await expect(page.getByRole('region', { name: 'Timeline' })).toContainText(
      'Order corrected Document number: P•••67 → P•••21',
    );
    await inspectState(page, 'corrected-order');
  });

  test('adds an order by phone, which is Pending', async ({ page }) => {
    await page.goto('/admin/pending-order');
    await page.getByRole('link', { name: 'Add order by phone' }).click();
    await page.getByRole('textbox', { name: 'Full Name' }).fill('Phoebe Caller');
    await page.getByRole('textbox', { name: 'Email' }).fill('phoebe');
    await page.getByRole('button', { name: 'Add order' }).click();
    await expect(page.getByText('This must be one email address')).toBeVisible();
    await inspectState(page, 'phone-order');
    await page.getByRole('textbox', { name: 'Email' }).fill('phoebe@traveller.example');
    await page.getByRole('button', { name: 'Add order' }).click();
    await expectToast(page, 'status', 'The order has been added');
    await expect(page.getByRole('region', { name: 'Timeline' })).toContainText('phone');
    await expect(fact(page, 'Full Name')).toContainText('Phoebe Caller');
  });
});

test.describe('Night Staff', () => {
  test.use({ as: 'Night Staff' });

  test('is not offered orders by phone', async ({ page }) => {
    await page.goto('/admin/new-phone-order');
    await expect(page.getByText('You cannot add orders by phone')).toBeVisible();
  });
});
