import type { Locator, Page } from '@playwright/test';

import { passportLines, pdf, TYPED_WRONG } from '../support/papers.ts';
import { open } from '../support/staffActions.ts';
import { expect, test } from '../support/test.ts';
import { inspectState } from '../support/visualChecks.ts';

test.use({ as: 'Team' });

const card = (page: Page): Locator => page.getByRole('region', { name: 'Typed against passport' });

const TYPED = { ...TYPED_WRONG, external_reference: 'PASSPORT-1' };

test('a passport is checked by itself, and one key says that a finding was looked at', async ({
  page,
  server,
}) => {
  await server.importOrders([TYPED]);
  await server.addFiles(TYPED.external_reference, [
    ['passport_picture', pdf(passportLines().join(') Tj 0 -30 Td ('))],
  ]);
  await page.goto('/admin/recent-order');
  await expect(async () => {
    await page.reload();
    await expect(page.getByText('Passport differs')).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await open(page, 'Emilie Rose Clarke');
  const given = card(page)
    .getByRole('row', { name: /^Given names/ })
    .first();
  await expect(given).toContainText('Emilie Rose');
  await expect(given).toContainText('EMILY ROSE');
  await expect(given).toContainText('differs');
  await expect(card(page).getByText('B and L give the same check digit.')).toBeVisible();
  await inspectState(page, 'papers');

  const keep = card(page).getByRole('button', { name: 'Given names: Keep typed' });
  await keep.focus();
  await page.keyboard.press('Enter');
  await expect(given).toContainText('typed kept');
  await expect(page.getByText('Finding looked at')).toBeVisible();
  await page.goto('/admin/recent-order');
  await expect(page.getByText('Emilie Rose Clarke')).toBeVisible();
  await expect(page.getByText('Passport differs')).toBeHidden();
});
