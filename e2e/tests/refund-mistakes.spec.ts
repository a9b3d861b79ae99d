/** Mistakes with refunds: emails that are stopped while they wait, and a mark that an Admin takes back. */

import type { Page } from '@playwright/test';

import { confirm, expectToast, open, row, search, select, tabTo } from '../support/staffActions.ts';
import { inspect } from '../support/visualChecks.ts';
import type { KnownOrder } from '../support/orders.ts';
import { expect, test } from '../support/test.ts';

const SCREEN = '/admin/refund-order';
const QUESTION = 'Are you sure you want to mark the selected orders as refunded?';

const due = (reference: string): KnownOrder => ({
  external_reference: reference,
  process_status: 'Refunds',
});
const emailOf = (reference: string): string => `${reference.toLowerCase()}@traveller.example`;
const history = (page: Page) => page.getByRole('region', { name: 'Email History' });
const waiting = (page: Page) => page.getByRole('region', { name: 'Waiting refund emails' });

async function refund(page: Page, ...references: string[]): Promise<void> {
  await select(page, ...references.map(emailOf));
  await page.getByRole('button', { name: 'Refunded it' }).click();
  await confirm(page, QUESTION);
}

test.describe('a Team member', () => {
  test.use({ as: 'Team' });

  test('stops the emails of a large refund, and sends them after all', async ({ page, server }) => {
    const references = Array.from({ length: 11 }, (_, index) => `STOP-${index + 10}`);
    await server.importOrders(references.map(due));
    const mails = (await server.mailsInFolder()).length;
    await page.goto(`${SCREEN}?limit=50&q=stop-`);
    await refund(page, ...references);
    await expectToast(page, 'status', '11 refunded, 0 already refunded');
    await expect(waiting(page)).toContainText('11 refund emails are sent from');
    await page.getByRole('button', { name: 'Stop the emails' }).click();
    await expectToast(page, 'status', '11 emails stopped');
    await expect(waiting(page)).toBeHidden();
    expect((await server.mailsInFolder()).length).toBe(mails);

    await page.getByRole('button', { name: 'Send anyway' }).click();
    await expectToast(page, 'status', '11 emails are on the way');
    await expect.poll(async () => (await server.mailsInFolder()).length).toBe(mails + 11);
  });

  test('stops waiting emails from Refunds, and sees it in Email History', async ({
    page,
    server,
  }) => {
    const references = Array.from({ length: 12 }, (_, index) => `WAIT-${index + 10}`);
    await server.importOrders(references.map(due));
    await page.goto(`${SCREEN}?limit=50&q=wait-`);
    await refund(page, ...references);
    await expect(waiting(page)).toBeVisible();
    await page.reload();
    await expect(row(page, emailOf('WAIT-10'))).toBeVisible();
    await expect(waiting(page)).toContainText('12 refund emails are sent from');
    await inspect(page, 'refunds-waiting');
    await open(page, emailOf('WAIT-10'));
    await expect(history(page)).toContainText('Waits until');
    await page.goBack();
    const stop = waiting(page).getByRole('button', { name: 'Stop', exact: true });
    await tabTo(page, stop);
    await page.keyboard.press('Enter');
    await expectToast(page, 'status', '12 emails stopped');

    await open(page, emailOf('WAIT-10'));
    await expect(history(page)).toContainText('Stopped by Budi Santoso before it was sent');
    await expect(page.getByText(/^Refunded/)).toBeVisible();
    await history(page).scrollIntoViewIfNeeded();
    await inspect(page, 'email-stopped');
    await history(page).getByRole('button', { name: 'Send anyway' }).click();
    await expectToast(page, 'status', '1 email is on the way');
    await expect(history(page)).not.toContainText('Stopped');
  });
});

test.describe('an Admin', () => {
  test.use({ as: 'Admin' });

  test('takes a mistaken refund mark back with a reason, and the order is due again', async ({
    page,
    server,
  }) => {
    await server.importOrders([due('WRONG-1')]);
    await page.goto(SCREEN);
    await search(page, emailOf('WRONG-1'));
    const mails = (await server.mailsInFolder()).length;
    await refund(page, 'WRONG-1');
    await expectToast(page, 'status', '1 refunded, 0 already refunded');
    await expect.poll(async () => (await server.mailsInFolder()).length).toBe(mails + 1);
    await open(page, emailOf('WRONG-1'));
    await expect(page.getByText(/^Refunded/)).toBeVisible();

    await page.getByRole('button', { name: 'Take refund mark back' }).click();
    const dialog = page.getByRole('dialog', { name: 'Take refund mark back' });
    await expect(dialog.getByLabel('Reason')).toBeFocused();
    await dialog.getByRole('button', { name: 'Take it back' }).click();
    await expect(dialog.getByText('Please enter the reason')).toBeVisible();
    await inspect(page, 'take-refund-back');
    await dialog.getByLabel('Reason').fill('The wrong row was selected.');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expectToast(page, 'status', 'A correction is on its way to the customer');
    await expect(dialog).toBeHidden();
    const header = page.locator('header').filter({ hasText: /Refund taken back/ });
    await expect(header).toContainText('by Ayu Lestari');
    await expect(page.getByRole('button', { name: 'Take refund mark back' })).toHaveCount(0);
    await expect(page.getByRole('region', { name: 'Timeline' })).toContainText('Refund taken back');
    await expect
      .poll(async () => (await server.mailsInFolder()).at(-1)?.subject)
      .toMatch(/^Correction: no refund was made/);

    await page.goto(SCREEN);
    await search(page, emailOf('WRONG-1'));
    await expect(row(page, emailOf('WRONG-1'))).toContainText('Due');
    await refund(page, 'WRONG-1');
    await expectToast(page, 'status', '1 refunded, 0 already refunded');
  });
});

test.describe('a Manager', () => {
  test.use({ as: 'Manager' });

  test('is not offered to take a refund mark back', async ({ page, server }) => {
    await server.importOrders([due('KEPT-1')]);
    await page.goto(SCREEN);
    await search(page, emailOf('KEPT-1'));
    await refund(page, 'KEPT-1');
    await expectToast(page, 'status', '1 refunded, 0 already refunded');
    await open(page, emailOf('KEPT-1'));
    await expect(page.getByText(/^Refunded/)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Take refund mark back' })).toHaveCount(0);
  });
});
