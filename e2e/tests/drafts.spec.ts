/** What was typed into a form survives every way of leaving it. */

import type { Locator, Page } from '@playwright/test';

import { endSessionAt } from '../support/sessions.ts';
import { open, search } from '../support/staffActions.ts';
import { expect, test } from '../support/test.ts';

test.use({ as: 'Team' });

const restored = (page: Page): Locator => page.getByText('Restored what you had typed.');

test('an order by phone survives a link, Back, a reload and the end of the session', async ({
  page,
  server,
}) => {
  const name = page.getByRole('textbox', { name: 'Full Name' });
  await page.goto('/admin/new-phone-order');
  await name.fill('Phoebe Caller');
  await page.getByRole('textbox', { name: 'Date of Birth' }).fill('04-07-1990');
  await page.getByRole('link', { name: 'My Orders' }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'My Orders' })).toBeVisible();
  await page.goBack();
  await expect(name).toHaveValue('Phoebe Caller');
  await expect(page.getByRole('textbox', { name: 'Date of Birth' })).toHaveValue('04-07-1990');
  await expect(restored(page)).toBeVisible();
  await page.reload();
  await expect(name).toHaveValue('Phoebe Caller');

  await endSessionAt(page, server, 'add-phone-order');
  await page.getByRole('textbox', { name: 'Email' }).fill('phoebe@post.example');
  await page.getByRole('button', { name: 'Add order' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  const again = await server.signIn('Team');
  await page.evaluate((accessToken) => {
    localStorage.setItem('user', JSON.stringify({ accessToken }));
  }, again);
  await page.goto('/admin/new-phone-order');
  await expect(name).toHaveValue('Phoebe Caller');
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue('phoebe@post.example');
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(name).toHaveValue('');
  await expect(restored(page)).toHaveCount(0);
});

test('a correction that Escape closed is there again', async ({ page, server }) => {
  await server.importOrders([{ external_reference: 'DRAFT-1', document_number: 'PA1234567' }]);
  await page.goto('/admin/recent-order');
  await search(page, 'DRAFT-1');
  await open(page, 'DRAFT-1');
  const correct = page.getByRole('button', { name: 'Correct: Document Information' });
  const number = page.getByRole('dialog').getByRole('textbox', { name: 'Document Number' });
  await correct.click();
  await number.fill('PA7654321');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await correct.click();
  await expect(number).toHaveValue('PA7654321');
  await expect(restored(page)).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
  await expect(number).toHaveValue('PA1234567');
});
