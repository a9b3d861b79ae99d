/** Staff file an order with the government's portal by keyboard alone, and record that the portal refused it. */

import type { Page } from '@playwright/test';

import { passportLines, pdf } from '../support/papers.ts';
import { expectToast, open } from '../support/staffActions.ts';
import { expect, test } from '../support/test.ts';
import { inspect, inspectState } from '../support/visualChecks.ts';

test.use({ as: 'Team', permissions: ['clipboard-read', 'clipboard-write'] });

const ORDER = {
  external_reference: 'FILING-1',
  full_name: 'Emily Rose Clarke',
  nationality: 'Australia',
  passport_from: 'Australia',
  sex: 'Female',
  place_of_birth: 'Hobart',
  date_of_birth: '1990-04-12',
  document_type: 'Passport',
  document_number: 'PB1204417',
  date_of_expiry: '2033-05-06',
  visa_type: 'C1',
  sub_purpose_of_visit: 'Tourism',
  stay_day: 60,
  residence_type: 'Hotel',
  address: 'Jalan Contoh 12, a house with a long name behind the market of the village',
  postal_code: '80361',
  province: 'Bali',
  city: 'Badung',
};

const copied = (page: Page) =>
  page.evaluate(async () => (await navigator.clipboard.readText()).trim());
const values = (page: Page) => page.getByRole('region', { name: 'Copy the values' });

/** Presses Tab until the control has the focus. */
async function tabTo(page: Page, label: string) {
  const control = page.getByLabel(label, { exact: true });
  for (let presses = 0; presses < 60; presses += 1) {
    if (await control.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to ${label}`);
}

test('an order is filed by keyboard alone, refused by the portal, and filed again', async ({
  page,
  server,
}) => {
  await server.importOrders([ORDER]);
  await server.addFiles(ORDER.external_reference, [
    ['passport_picture', pdf(passportLines().join(') Tj 0 -30 Td ('))],
  ]);
  await page.goto('/admin/recent-order');
  await open(page, ORDER.full_name);
  await page.keyboard.press('f');
  await expect(page).toHaveURL(/\?view=filing$/);
  await expect(values(page)).toContainText('0 of 19 copied · 1 not in the order');

  await page.keyboard.press('c');
  await expect(values(page)).toContainText('1 of 19 copied');
  expect(await copied(page)).toBe('EMILY ROSE CLARKE');
  for (let count = 2; count <= 5; count += 1) {
    await page.keyboard.press('c');
    await expect(values(page)).toContainText(`${count} of 19 copied`);
  }
  expect(await copied(page)).toBe('06/05/2033');
  await page.reload();
  await expect(values(page)).toContainText('5 of 19 copied');
  await inspect(page, 'filing');
  for (let count = 6; count <= 19; count += 1) {
    await page.keyboard.press('c');
    await expect(values(page)).toContainText(`${count} of 19 copied`);
  }
  expect(await copied(page)).toBe('BADUNG');

  await tabTo(page, 'Application number');
  await page.keyboard.type('ev-2026-0071');
  await page.keyboard.press('Tab');
  await page.keyboard.type('1500000');
  await page.keyboard.press('Enter');
  await expectToast(page, 'status', 'has been filed as application EV-2026-0071');
  await expect(page.getByRole('heading', { name: /^3 ?Filed$/ })).toBeVisible();
  await inspectState(page, 'filed');

  const refuse = page.getByRole('button', { name: 'Record refusal' });
  await refuse.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.type('The photograph is blurred');
  await inspectState(page, 'refused-by-the-portal');
  await page.getByRole('button', { name: 'File again' }).focus();
  await page.keyboard.press('Enter');
  await expectToast(page, 'status', 'has been moved to New');
  await expect(page.getByText('refused, to be filed again')).toBeVisible();
  await expect(values(page)).toContainText('0 of 19 copied');

  await tabTo(page, 'Application number');
  await page.keyboard.type('EV-2026-0099');
  await page.keyboard.press('Enter');
  await expectToast(page, 'status', 'has been filed as application EV-2026-0099');
  await expect(page.getByRole('heading', { name: /^3 ?Filed$/ })).toBeVisible();
  await page.keyboard.press('f');
  const timeline = page.getByRole('region', { name: 'Timeline' });
  await expect(timeline).toContainText('Application filed EV-2026-0099');
  await expect(timeline).toContainText('Application refused by the portal');
});

test('the kit is one download, with the passport page as an image', async ({ page, server }) => {
  await server.importOrders([{ ...ORDER, external_reference: 'FILING-2' }]);
  await server.addFiles('FILING-2', [
    ['passport_picture', pdf(passportLines().join(') Tj 0 -30 Td ('))],
    ['bank_statement', pdf('Bank statement')],
  ]);
  await page.goto('/admin/recent-order');
  await open(page, ORDER.full_name);
  await page.getByRole('link', { name: 'Filing', exact: true }).click();
  await expect(page.getByText('image from PDF, page 1')).toBeVisible();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download kit' }).click();
  expect((await download).suggestedFilename()).toMatch(/^\d+-filing-kit\.zip$/);
});
