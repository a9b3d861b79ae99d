/**
 * From wrong papers to the downloaded visa: staff at a desk, the applicant on a phone. What staff do is counted. Tesseract is not
 * installed, because all of this works without it.
 */

import type { Locator, Page } from '@playwright/test';

import { test as base } from '../support/delivery.ts';
import { MouseWork, secondsOf, statedNumbers } from '../support/effort.ts';
import type { Received } from '../support/mailbox.ts';
import { passportLines, pdf, TYPED_WRONG, visaFile } from '../support/papers.ts';
import { portrait } from '../support/portraits.ts';
import { open } from '../support/staffActions.ts';
import { expect } from '../support/test.ts';
import { inspect, inspectState } from '../support/visualChecks.ts';
import { download } from '../support/visitor.ts';

const test = base.extend({
  settings: async ({ settings }, use) =>
    use({ ...settings, VISADESK_CHECKS__TESSERACT: '/not/installed/tesseract' }),
});

test.use({ as: 'Team', permissions: ['clipboard-read', 'clipboard-write'] });

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

const ORDER = { ...TYPED_WRONG, external_reference: 'WALK-1' };

const region = (page: Page, name: string): Locator => page.getByRole('region', { name });
const view = (page: Page, name: string): Locator =>
  page.getByRole('navigation', { name: 'Views of the order' }).getByRole('link', { name });
const paper = (page: Page, name: string): Locator =>
  page.getByRole('navigation', { name: 'Documents' }).getByRole('button', { name });

/** The link of a mail, which opens the order's page. */
function linkOf({ mail }: Received): string {
  const link = /https?:\/\/\S+#key=[\w-]{43}/.exec(mail.text ?? '')?.[0];
  expect(link, 'a link with a key').toBeDefined();
  return link!;
}

/** Sends a file for a paper that is asked for. */
async function give(
  page: Page,
  name: string,
  file: { name: string; mimeType: string; buffer: Buffer },
) {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('article', { name }).getByRole('button', { name: 'Choose a file' }).click();
  await (await chooser).setFiles(file);
}

test('a wrong photograph is retaken on the phone, a letter corrected, the order filed and the visa downloaded', async ({
  page,
  server,
  mailbox,
  browser,
}) => {
  test.slow();
  const phone = await (await browser.newContext({ ...PHONE, baseURL: server.url })).newPage();
  await page.goto('/admin/recent-order');
  await server.importOrders([ORDER]);
  await server.addFiles(ORDER.external_reference, [
    ['passport_picture', pdf(passportLines().join(') Tj 0 -30 Td ('))],
    ['upload_picture', (await portrait(page, 240, 360)).buffer],
  ]);
  const desk = new MouseWork(page);

  await test.step('staff find the wrong photograph and ask for another one', async () => {
    await expect(async () => {
      await page.reload();
      await expect(page.getByText('Passport differs')).toBeVisible({ timeout: 2_000 });
    }).toPass();
    await open(page, ORDER.full_name);
    await desk.click(view(page, 'Documents'));
    await expect(paper(page, 'Recent colour photograph to check')).toBeVisible();
    await desk.click(paper(page, 'Recent colour photograph'));
    await desk.click(page.getByRole('button', { name: 'Mark as wrong' }));
    await expect(region(page, 'Request documents')).toContainText('The picture is too small.');
    await inspect(page, 'papers-desk');
    await page.getByRole('button', { name: 'Preview email' }).click();
    await expect(page.getByRole('dialog')).toContainText('Photograph: The picture is too small.');
    await inspectState(page, 'papers-desk-mail');
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await desk.click(page.getByRole('button', { name: 'Request 2 documents' }));
    await expect(region(page, 'Documents requested from the applicant')).toBeVisible();
    await inspectState(page, 'papers-desk-asked');
  });

  await test.step('the applicant sends both from the phone', async () => {
    await phone.goto(linkOf(await mailbox.arrival(1)));
    await give(phone, 'Photograph', await portrait(phone, 240, 360));
    await expect(phone.getByText('The picture is too small')).toBeVisible();
    await give(phone, 'Photograph', await portrait(phone, 800, 1200));
    await expect(phone.getByRole('article', { name: 'Photograph' })).toContainText(/received/i);
    await give(phone, 'Bank statement', visaFile('Balance USD 2,500'));
    await expect(phone.getByText(/Everything is here/)).toBeVisible();
  });

  await test.step('the order is back, and the letter is corrected', async () => {
    await page.goto('/admin/recent-order');
    await expect(async () => {
      await page.reload();
      await expect(page.getByText('Documents are in')).toBeVisible({ timeout: 2_000 });
    }).toPass({ timeout: 90_000 });
    await desk.click(page.getByRole('link', { name: /^View/ }).first());
    await desk.click(view(page, 'Documents'));
    await desk.click(paper(page, 'Passport'));
    await desk.click(page.getByRole('button', { name: /Given names: use/ }));
    await expect(page.getByText('Given names: use')).toBeHidden();
  });

  await test.step('the order is filed', async () => {
    await desk.click(view(page, 'Filing'));
    const values = region(page, 'Copy the values');
    await expect(values).toContainText('EMILY ROSE');
    const toCopy = Number(/0 of (\d+) copied/.exec(await values.innerText())?.[1]);
    for (let copied = 1; copied <= toCopy; copied += 1) {
      await desk.press('c');
      await expect(values).toContainText(`${copied} of ${toCopy} copied`);
    }
    await desk.click(page.getByLabel('Application number'));
    await desk.type('EV-2026-0071');
    await desk.click(page.getByRole('button', { name: 'Mark as filed' }));
    await expect(page.getByText('Awaiting Govt', { exact: true }).first()).toBeVisible();
  });

  await test.step('the visa is uploaded, mailed and downloaded', async () => {
    await desk.click(view(page, 'Order'));
    const upload = page.getByRole('form', { name: 'Upload Document' });
    const visa = visaFile('REPUBLIK INDONESIA PB1204417 EMILY ROSE CLARKE 12/04/1990');
    await upload.getByLabel('Visa', { exact: true }).setInputFiles(visa);
    await desk.click(upload.getByRole('button', { name: 'Upload and email via AWS' }));
    await phone.goto(linkOf(await mailbox.arrival(2)));
    expect((await download(phone)).opening).toBe('%PDF-');
  });

  const { keys, characters, clicks } = desk.effort;
  const taken = [keys, characters, clicks, secondsOf(desk.effort)];
  const stated = await statedNumbers('checks.md', 'staff, from wrong papers to the mailed visa');
  expect(taken, 'docs/checks.md states the effort').toEqual(stated);
  await phone.context().close();
});
