/** What it takes a member from a paid order with its documents to the delivered visa, without a mouse and with one. */

import type { Locator, Page } from '@playwright/test';

import { test } from '../support/delivery.ts';
import { expectAtMostStated, KeyboardWork, MouseWork } from '../support/effort.ts';
import { passportLines, pdf, TYPED_WRONG, visaFile } from '../support/papers.ts';
import { portrait } from '../support/portraits.ts';
import { STAFF } from '../support/staff.ts';
import { expectToast } from '../support/staffActions.ts';
import { expect } from '../support/test.ts';

test.use({ as: 'Team', permissions: ['clipboard-read', 'clipboard-write'] });

const ORDER = {
  ...TYPED_WRONG,
  external_reference: 'PAID-1',
  processing_mode: 'Priority Processing' as const,
  place_of_birth: 'Hobart',
};
const NUMBER = 'EV-2026-0071';
const FEE = '1500000';
const VISA = visaFile('REPUBLIK INDONESIA PB1204417 EMILY ROSE CLARKE 12/04/1990');

const region = (page: Page, name: string): Locator => page.getByRole('region', { name });
const paper = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('navigation', { name: 'Documents' }).getByRole('button', { name });
const upload = (page: Page): Locator => page.getByRole('form', { name: 'Upload Document' });
const use = (page: Page): Locator => page.getByRole('button', { name: /Given names: use/ });
const values = (page: Page): Locator => region(page, 'Copy the values');
const title = (page: Page): Locator => page.getByRole('heading', { level: 1, name: /^Order \d+/ });

async function expectFine(page: Page, name: string): Promise<void> {
  await expect(paper(page, new RegExp(`^${name}.* fine$`))).toBeVisible();
}

/** How many values the order has for the portal. */
async function countValues(page: Page): Promise<number> {
  await expect(values(page)).toContainText(/0 of \d+ copied/);
  return Number(/0 of (\d+) copied/.exec(await values(page).innerText())?.[1]);
}

async function expectFiled(page: Page): Promise<void> {
  await expectToast(page, 'status', `has been filed as application ${NUMBER}`);
  // The form is locked until the order is read again. Keys pressed until then belong to it.
  await expect(page.getByRole('textbox', { name: 'Application number' })).toBeHidden();
}

test.beforeEach(async ({ page, server }) => {
  await page.goto('/admin');
  await server.importOrders([ORDER]);
  await server.addFiles(ORDER.external_reference, [
    ['passport_picture', pdf(passportLines().join(') Tj 0 -30 Td ('))],
    ['upload_picture', (await portrait(page, 800, 1200)).buffer],
    ['bank_statement', pdf('Balance USD 2,500')],
  ]);
  // The documents are checked by the time a member comes to the order.
  await page.goto('/admin/priority-order');
  await expect(async () => {
    await page.reload();
    await expect(page.getByText('Passport differs')).toBeVisible({ timeout: 2_000 });
  }).toPass({ timeout: 60_000 });
  await page.goto('/admin');
  await expect(page.getByText(`Welcome, ${STAFF.Team.name}`)).toBeVisible();
});

test('a paid order becomes a delivered visa without a mouse', async ({ page, mailbox }) => {
  const work = new KeyboardWork(page);
  await work.press('g', 'p');
  await expect(page.getByRole('link', { name: /^View/ }).first()).toBeVisible();
  await work.press('j', 'Enter');
  await expect(title(page)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Assign to me' })).toBeVisible();
  await work.press('a');
  await expect(page.getByRole('dialog')).toBeVisible();
  await work.press('Enter');
  await expect(page.getByText(`Assigned to ${STAFF.Team.name}`)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Actions' })).toBeFocused();

  await work.press('d');
  await work.tabTo(use(page));
  await work.press('Enter');
  await expect(use(page)).toBeHidden();
  await work.press('1');
  await expectFine(page, 'Passport');
  for (const name of ['Bank statement', 'Recent colour photograph']) {
    await work.press('n', '1');
    await expectFine(page, name);
  }

  await work.press('f');
  const count = await countValues(page);
  for (let copied = 1; copied <= count; copied += 1) {
    await work.press('c');
    await expect(values(page)).toContainText(`${copied} of ${count} copied`);
  }
  const kit = page.waitForEvent('download');
  await work.tabTo(page.getByRole('button', { name: 'Download kit' }));
  await work.press('Enter');
  await kit;
  // Asked for early: the browser opens its own chooser until it knows that a test waits for it.
  const asked = page.waitForEvent('filechooser');
  await work.press('n');
  await work.type(NUMBER);
  await work.press('Tab');
  await work.type(FEE);
  await work.press('Enter');
  await expectFiled(page);

  // At once, as practised people do: the second key acts on the screen that the first one opened.
  await work.press('f', 'v');
  await (await asked).setFiles(VISA);
  await work.tabTo(upload(page).getByRole('button', { name: 'Upload and email via AWS' }));
  await work.press('Enter');
  await mailbox.arrival(1);
  await expectAtMostStated('keyboard, paid to delivered, now', work.effort);
});

test('a paid order becomes a delivered visa with a mouse', async ({ page, mailbox }) => {
  const work = new MouseWork(page);
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const view = (name: string) =>
    page.getByRole('navigation', { name: 'Views of the order' }).getByRole('link', { name });
  const sidebar = page.getByRole('navigation', { name: 'Main' });
  await work.click(sidebar.getByRole('link', { name: /^Priority Orders/ }));
  await work.click(page.getByRole('link', { name: /^View/ }).first());
  await work.click(button('Assign to me'));
  await work.click(button('Yes, assign'));
  await expect(page.getByText(`Assigned to ${STAFF.Team.name}`)).toBeVisible();

  await work.click(view('Documents'));
  await work.click(use(page));
  await expect(use(page)).toBeHidden();
  const fine = page.getByRole('group', { name: 'Decision' }).getByRole('button', { name: /^Fine/ });
  await work.click(fine);
  await expectFine(page, 'Passport');
  for (const name of ['Bank statement', 'Recent colour photograph']) {
    await work.click(paper(page, name));
    await work.click(fine);
    await expectFine(page, name);
  }

  await work.click(view('Filing'));
  const count = await countValues(page);
  for (let copied = 1; copied <= count; copied += 1) {
    await work.click(values(page).getByRole('button', { name: 'copy and step on' }));
    await expect(values(page)).toContainText(`${copied} of ${count} copied`);
  }
  const kit = page.waitForEvent('download');
  await work.click(button('Download kit'));
  await kit;
  await work.click(page.getByLabel('Application number'));
  await work.type(NUMBER);
  await work.click(page.getByLabel('Fee', { exact: false }).first());
  await work.type(FEE);
  await work.click(button('Mark as filed'));
  await expectFiled(page);

  await work.click(view('Order'));
  const asked = page.waitForEvent('filechooser');
  await work.click(upload(page).getByLabel('Visa', { exact: true }));
  await (await asked).setFiles(VISA);
  await work.click(upload(page).getByRole('button', { name: 'Upload and email via AWS' }));
  await mailbox.arrival(1);
  await expectAtMostStated('mouse, paid to delivered, now', work.effort);
});
