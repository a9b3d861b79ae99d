/** A visa from staff to the traveller: upload, mail, public page, download, history, resend. */

import { readFile } from 'node:fs/promises';

import type { Locator, Page } from '@playwright/test';

import { expectToast, open } from '../support/staffActions.ts';
import { test } from '../support/delivery.ts';
import type { Received } from '../support/mailbox.ts';
import { visaOf } from '../support/papers.ts';
import { openPdfTab } from '../support/pdfTab.ts';
import { expect } from '../support/test.ts';

test.use({ as: 'Team' });

const region = (page: Page, name: string): Locator => page.getByRole('region', { name });
const upload = (page: Page): Locator => page.getByRole('form', { name: 'Upload Document' });

/** The link to the track page without its key, which would open it at once. It must be the same in the HTML and the text of a mail. */
function linkOf({ mail }: Received): string {
  const links = [mail.html, mail.text].map(
    (body) => /https?:\/\/[^\s"<>]+\/track-order\/[^\s"<>]+/.exec(body ?? '')?.[0],
  );
  expect(links[0], 'a link to the track page').toBeDefined();
  expect(links[1]).toBe(links[0]);
  return links[0]!.split('#')[0]!;
}

for (const files of ['folder', 's3'] as const) {
  for (const { button, provider, account } of [
    { button: 'Upload and email via AWS', provider: 'AWS', account: 'aws' },
    { button: 'Upload and email via SendGrid', provider: 'Sendgrid', account: 'sendgrid' },
  ]) {
    test.describe(`with files in ${files === 's3' ? 'S3' : 'a folder'} and mails by ${provider}`, () => {
      test.use({ files });

      test('a visa reaches the traveller, and staff see the download', async ({
        page,
        server,
        mailbox,
        browser,
      }) => {
        const visa = visaOf('Traveller WAY-1', `Visa of ${provider} in ${files}`);
        const email = 'way-1@traveller.example';
        await server.importOrders([{ external_reference: 'WAY-1' }]);

        await test.step('staff upload the visa', async () => {
          await page.goto('/admin/recent-order');
          await open(page, 'Traveller WAY-1');
          await upload(page).getByLabel('Visa', { exact: true }).setInputFiles(visa);
          await upload(page).getByRole('button', { name: button }).click();
          await expectToast(page, 'status', email);
        });

        const received = await mailbox.arrival(1);
        await test.step('the mail arrives at the chosen provider, for one recipient', async () => {
          expect(received.provider).toBe(account);
          expect(received.recipients).toEqual([email]);
          expect(received.mail.to).toMatchObject([{ address: email }]);
          // The provider's later reports are matched with the mail by this header.
          const named = received.mail.headers.map(({ key }) => key);
          expect(named).toContain(provider === 'AWS' ? 'x-ses-message-tags' : 'x-smtpapi');
          // The download is the evidence of the delivery: the visa itself stays here.
          expect(received.mail.attachments).toEqual([]);
          const row = region(page, 'Email History').getByRole('row').nth(1);
          await expect(row).toContainText(provider);
          await expect(row).toContainText('Sent');
        });

        // Another machine, without a staff session.
        const elsewhere = await browser.newContext({ baseURL: server.url });
        const visitor = await elsewhere.newPage();
        await test.step('its link opens the public page, which refuses a wrong email', async () => {
          await visitor.goto(linkOf(received));
          await visitor.getByLabel('Email').fill('somebody.else@traveller.example');
          await visitor.getByRole('button', { name: 'TRACK ORDER' }).click();
          await expect(visitor.getByRole('alert').first()).toBeVisible();
          await expect(visitor).toHaveURL(/\/track-order\//);
        });

        await test.step('the right one leads to the visa', async () => {
          await visitor.getByLabel('Email').fill(email);
          await visitor.getByRole('button', { name: 'TRACK ORDER' }).click();
          await expect(visitor).toHaveURL(/\/get-new-order-details\//);
          const [download] = await Promise.all([
            visitor.waitForEvent('download'),
            visitor.getByRole('button', { name: 'Download Now' }).click(),
          ]);
          expect(await readFile(await download.path())).toEqual(visa.buffer);
          await expect(visitor.getByRole('row')).toHaveCount(2);
          await expect(visitor.getByRole('row').nth(1)).toContainText('127.0.0.1');
        });
        await elsewhere.close();

        await test.step('staff see the download and open the visa', async () => {
          await page.reload();
          const row = region(page, 'Download History').getByRole('row').nth(1);
          await expect(row).toContainText('127.0.0.1');
          await openPdfTab(page, () => row.getByRole('link').click());
        });

        await test.step('the mail is sent once more, by the other provider', async () => {
          const other = provider === 'AWS' ? 'Sendgrid' : 'AWS';
          await page.getByRole('button', { name: `Resend via ${other}` }).click();
          const again = await mailbox.arrival(2);
          expect(again.provider).toBe(other.toLowerCase());
          expect(linkOf(again)).toBe(linkOf(received));
          expect(again.mail.messageId).not.toBe(received.mail.messageId);
          const history = region(page, 'Email History');
          await expect(history.getByText('Sent', { exact: true })).toHaveCount(2);
          await expect(history.getByRole('row').filter({ hasText: other })).toHaveCount(1);
        });

        await test.step('Sent Mail sends the download link', async () => {
          await page.getByRole('button', { name: 'Sent Mail' }).click();
          const third = await mailbox.arrival(3);
          expect(third.provider).toBe('aws');
          expect(linkOf(third)).toBe(linkOf(received));
        });
      });
    });
  }
}

test('a refused mail shows the reason and can be sent again', async ({ page, server, mailbox }) => {
  await server.importOrders([{ external_reference: 'WAY-2' }]);
  await page.goto('/admin/recent-order');
  await open(page, 'Traveller WAY-2');
  mailbox.refuse('No such mailbox here');
  await page.getByRole('button', { name: 'Resend via AWS' }).click();
  const history = region(page, 'Email History');
  await expect(history.getByText('Failed', { exact: true })).toBeVisible();
  await expect(history.getByRole('row').nth(1)).toContainText('No such mailbox here');
  await history.getByRole('button', { name: 'More about email 1' }).click();
  await expect(history.getByRole('list', { name: 'Attempts' })).toContainText('refused');

  mailbox.refuse();
  await page.getByRole('button', { name: 'Resend via Sendgrid' }).click();
  await expect(history.getByText('Sent', { exact: true })).toBeVisible();
  expect((await mailbox.arrival(1)).recipients).toEqual(['way-2@traveller.example']);
});
