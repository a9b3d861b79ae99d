import { writeFile } from 'node:fs/promises';

import type { Locator, Page } from '@playwright/test';

import { endSession, endSessionAt } from '../support/sessions.ts';
import { expectToast, open, openFolder, row, search } from '../support/staffActions.ts';
import { inspect, inspectState } from '../support/visualChecks.ts';
import { visaFile, visaOf } from '../support/papers.ts';
import { PASSWORD, STAFF } from '../support/staff.ts';
import { expect, test } from '../support/test.ts';
import type { TestServer } from '../support/testServer.ts';

/** The largest file that the server takes. */
const LARGEST = 20 * 1024 * 1024;

test.use({ as: 'Team' });

const form = (page: Page): Locator => page.getByRole('form', { name: 'Upload Document' });
const recipient = (page: Page): Locator =>
  page.getByRole('region', { name: 'Emails' }).getByLabel('Email', { exact: true });
const mails = (page: Page): Locator => page.getByRole('region', { name: 'Email History' });

async function openNew(page: Page, name: string): Promise<void> {
  await page.goto('/admin/recent-order');
  await open(page, name);
}

/** Opens an order without loading a document, as a member does. */
async function openByLinks(page: Page, name: string, folder = 'New Orders'): Promise<void> {
  await openFolder(page, folder);
  await search(page, name);
  await open(page, name);
}

for (const [button, provider] of [
  ['Upload and email via AWS', 'AWS'],
  ['Upload and email via SendGrid', 'Sendgrid'],
] as const) {
  test(`a visa is uploaded and mailed through ${provider}, and the order is completed`, async ({
    page,
    server,
  }) => {
    await server.importOrders([{ external_reference: 'VISA-1' }]);
    await openNew(page, 'Traveller VISA-1');
    await expect(recipient(page)).toHaveValue('visa-1@traveller.example');
    await form(page).getByLabel('Visa', { exact: true }).setInputFiles(visaOf('Traveller VISA-1'));
    await expect(form(page).getByText('e-visa.pdf')).toBeVisible();
    await form(page).getByRole('button', { name: button }).click();
    await expectToast(page, 'status', /visa-1@traveller\.example/);

    await expect(form(page).getByRole('link', { name: 'Traveller VISA-1' })).toBeVisible();
    await expect(page.getByRole('main').getByText('Completed', { exact: true })).toBeVisible();
    const mail = mails(page).getByRole('row').nth(1);
    await expect(mail).toContainText(provider);
    // This installation has no mail provider.
    await expect(mail).toContainText('Written to a file');
    await expect(mail.getByRole('link', { name: 'Traveller VISA-1' })).toBeVisible();

    await expect.poll(async () => (await server.mailsInFolder()).length).toBe(1);
    const [eml] = await server.mailsInFolder();
    expect(eml?.to).toMatchObject([{ address: 'visa-1@traveller.example' }]);

    await openFolder(page, 'Completed Orders');
    await search(page, 'VISA-1');
    await expect(row(page, 'Traveller VISA-1')).toBeVisible();
  });
}

test('a wrong visa is withdrawn by Undo before its mail is sent, and marked in lists', async ({
  page,
  server,
}) => {
  await server.importOrders([{ external_reference: 'VISA-9', document_number: 'PB1204417' }]);
  await openNew(page, 'Traveller VISA-9');
  const upload = async () => {
    const wrong = visaOf('Somebody Else PB1204417');
    await form(page).getByLabel('Visa', { exact: true }).setInputFiles(wrong);
    await form(page).getByRole('button', { name: 'Upload and email via AWS' }).click();
  };
  await upload();
  const warning = page.getByRole('alert').filter({ hasText: 'Please check this visa' });
  await expect(warning).toContainText('the name of the order is not on it');
  await expect(mails(page).getByRole('row').nth(1)).toContainText('Waits until');
  await warning.getByRole('button', { name: 'Undo' }).click();
  await expectToast(page, 'status', /the visa is withdrawn, no mail was sent/);
  await expect(form(page).getByText('Withdrawn before its email was sent')).toBeVisible();
  await expect(mails(page).getByRole('row').nth(1)).toContainText('Stopped');
  await expect(page.getByRole('main').getByText('New', { exact: true }).first()).toBeVisible();
  await inspectState(page, 'visa-withdrawn');
  expect(await server.mailsInFolder()).toEqual([]);

  await upload();
  await expect(warning).toBeVisible();
  await openFolder(page, 'Completed Orders');
  await expect(row(page, 'Traveller VISA-9')).toContainText('Visa differs');
});

test('a missing or invalid field shows its error, and nothing is sent', async ({
  page,
  server,
}) => {
  await server.importOrders([{ external_reference: 'VISA-2' }]);
  await openNew(page, 'Traveller VISA-2');
  await recipient(page).fill('');
  await form(page).getByRole('button', { name: 'Upload and email via AWS' }).click();
  await expect(form(page).getByText('File is required')).toBeVisible();
  await expect(page.getByText('Please enter your email')).toBeVisible();

  const picture = { name: 'visa.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') };
  await form(page).getByLabel('Visa', { exact: true }).setInputFiles(picture);
  await expect(form(page).getByText('Only PDF or image files are allowed')).toBeVisible();

  // Only the server can see that it is no PDF.
  const disguised = {
    name: 'visa.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from('<html>'),
  };
  await recipient(page).fill('visa-2@traveller.example');
  await form(page).getByLabel('Visa', { exact: true }).setInputFiles(disguised);
  await form(page).getByRole('button', { name: 'Upload and email via AWS' }).click();
  await expectToast(page, 'alert', 'Only PDF or image files are allowed');
  await expect(form(page).getByText('visa.pdf')).toBeVisible();
  expect(await server.mailsInFolder()).toEqual([]);
});

/** Slows the uploads of a page to so many bytes a second. The returned function makes them fast again. */
async function slowUploads(page: Page, uploadThroughput: number): Promise<() => Promise<void>> {
  const devtools = await page.context().newCDPSession(page);
  const limit = (uploadThroughput: number) =>
    devtools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    });
  await limit(uploadThroughput);
  return async () => {
    await limit(-1);
  };
}

/** The visa of a traveller in this size, as a file of the disk, which takes no time to choose. */
async function largeVisa(traveller: string, size: number): Promise<string> {
  const { name, buffer } = visaOf(traveller);
  const end = Buffer.from('\n%%EOF\n');
  const filling = Buffer.alloc(size - buffer.length - end.length, 32);
  const path = test.info().outputPath(name);
  await writeFile(path, Buffer.concat([buffer, filling, end]));
  return path;
}

const chooseLarge = async (page: Page, traveller: string, size: number): Promise<void> =>
  form(page)
    .getByLabel('Visa', { exact: true })
    .setInputFiles(await largeVisa(traveller, size));

/** The text of a large file may take too long to read. Then its visa waits as a scan does, for two minutes at most. */
async function expectDelivered(server: TestServer): Promise<void> {
  const count = async () => (await server.mailsInFolder()).length;
  await expect.poll(count, { timeout: 180_000 }).toBe(1);
}

test('an upload that is cancelled stores nothing', async ({ page, server }) => {
  await server.importOrders([{ external_reference: 'VISA-3' }]);
  await openNew(page, 'Traveller VISA-3');
  // Slow enough to cancel.
  const restore = await slowUploads(page, 50_000);
  await chooseLarge(page, 'Traveller VISA-3', 5_000_000);
  await form(page).getByRole('button', { name: 'Upload and email via AWS' }).click();
  await expect(form(page).getByRole('progressbar')).toBeVisible();
  await form(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(form(page).getByRole('button', { name: 'Upload and email via AWS' })).toBeVisible();
  await expect(form(page).getByText('e-visa.pdf')).toBeVisible();

  await restore();
  await page.reload();
  await expect(mails(page).getByText('No record found')).toBeVisible();
  expect(await server.mailsInFolder()).toEqual([]);
});

async function signInAgain(page: Page): Promise<void> {
  await page.getByLabel('Email ID').fill(STAFF.Team.email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page.getByText(`Welcome, ${STAFF.Team.name}`)).toBeVisible();
}

test('an upload of 20 MB after the session has ended asks for a sign-in, and loses nothing', async ({
  page,
  server,
}) => {
  test.setTimeout(300_000);
  await server.importOrders([{ external_reference: 'VISA-6' }]);
  await openNew(page, 'Traveller VISA-6');
  await recipient(page).fill('sister@traveller.example');
  await chooseLarge(page, 'Traveller VISA-6', LARGEST);
  await endSessionAt(page, server, 'upload-visa-document');
  await form(page).getByRole('button', { name: 'Upload and email via AWS' }).click();
  await expectToast(page, 'alert', /sign in again/);
  await signInAgain(page);

  await openByLinks(page, 'Traveller VISA-6');
  await expect(recipient(page)).toHaveValue('sister@traveller.example');
  await expect(form(page).getByText('e-visa.pdf')).toBeVisible();
  await form(page).getByRole('button', { name: 'Upload and email via AWS' }).click();
  await expectToast(page, 'status', /The visa has been stored/);
  await expectDelivered(server);
});

test('a session that ends while 20 MB are sent does not stop them, and the visa is there after the sign-in', async ({
  page,
  server,
}) => {
  test.setTimeout(300_000);
  await server.importOrders([{ external_reference: 'VISA-8' }]);
  await openNew(page, 'Traveller VISA-8');
  await chooseLarge(page, 'Traveller VISA-8', LARGEST);
  const restore = await slowUploads(page, 2_000_000);
  await form(page).getByRole('button', { name: 'Upload and email via AWS' }).click();
  await expect(form(page).getByText(/^[1-9]\d* %$/)).toBeVisible();
  await endSession(page, server);
  await restore();
  await expectToast(page, 'alert', /sign in again/);
  await signInAgain(page);

  await expectDelivered(server);
  await openByLinks(page, 'Traveller VISA-8', 'Completed Orders');
  await expect(form(page).getByRole('link', { name: 'Traveller VISA-8' })).toBeVisible();
  await expect(form(page).getByText('Choose a file')).toBeVisible();
});

test('the content of the mail is shown, offered for WhatsApp and logged', async ({
  page,
  server,
}) => {
  await server.importOrders([{ external_reference: 'VISA-4' }]);
  await openNew(page, 'Traveller VISA-4');
  await page.getByRole('button', { name: 'View Email Content' }).click();
  const dialog = page.getByRole('dialog', { name: 'Email Content' });
  const frame = dialog.frameLocator('iframe');
  await expect(frame.locator('body')).toContainText('Dear Traveller VISA');
  await inspect(page, 'email-content');

  const whatsapp = dialog.getByRole('link', { name: 'Send Whatsapp Message' });
  await expect(whatsapp).toHaveAttribute('href', /^https:\/\/wa\.me\/6281234567890\?text=/);
  // A test must not contact anyone.
  await page.context().route('https://wa.me/**', (route) => route.fulfill({ body: 'WhatsApp' }));
  const [chat] = await Promise.all([page.context().waitForEvent('page'), whatsapp.click()]);
  await chat.close();
  await dialog.getByRole('button', { name: 'Log as comment' }).click();
  await expect(page.getByRole('checkbox', { name: 'Whatsapp' })).toBeChecked();
  await page.getByRole('button', { name: 'Save Comment' }).click();
  const comments = page.getByRole('region', { name: 'Comment History' });
  await expect(comments.getByText('Wrote to the customer by WhatsApp.')).toBeVisible();
  await expect(comments.getByRole('button', { name: /comment \d/ })).toHaveCount(1);
});

test('the mails fit every width', async ({ page, server }) => {
  await server.importOrders([{ external_reference: 'VISA-5' }]);
  await openNew(page, 'Traveller VISA-5');
  for (const words of ['First visa', 'Second visa']) {
    await form(page)
      .getByLabel('Visa', { exact: true })
      .setInputFiles(visaOf('Traveller VISA-5', words));
    await form(page).getByRole('button', { name: 'Upload and email via AWS' }).click();
    await expectToast(page, 'status', 'visa-5@traveller.example');
    // The toast comes first: the form is emptied, and takes the next file, once the order has been reloaded.
    await expect(form(page).getByText('Choose a file')).toBeVisible();
  }
  await expect(mails(page).getByText('Written to a file', { exact: true })).toHaveCount(2);
  await page.reload();
  await expect(form(page).getByText('earlier')).toBeVisible();
  await mails(page).getByRole('button', { name: 'More about email 1' }).click();
  // Where the histories are a tab, it stays chosen.
  await page.setViewportSize({ width: 900, height: 900 });
  await page.getByRole('tab', { name: 'Histories' }).click();
  await inspect(page, 'mails', mails(page));
});

test('the visa of another order is sent with a reason only, with the keyboard alone', async ({
  page,
  server,
}) => {
  await server.importOrders([{ external_reference: 'VISA-12' }, { external_reference: 'VISA-13' }]);
  const visa = visaOf('Traveller VISA-12');
  const send = async (traveller: string) => {
    await openNew(page, traveller);
    await form(page).getByLabel('Visa', { exact: true }).setInputFiles(visa);
    await form(page).getByRole('button', { name: 'Upload and email via AWS' }).press('Enter');
  };
  await send('Traveller VISA-12');
  await expectToast(page, 'status', /visa-12@traveller\.example/);
  await send('Traveller VISA-13');
  const dialog = page.getByRole('dialog', { name: 'This may be another person’s visa' });
  await expect(dialog.getByRole('alert')).toContainText('(Traveller VISA-12)');
  await expect(dialog.getByRole('button', { name: 'Choose another file' })).toBeFocused();
  await inspectState(page, 'visa-of-another-order');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(form(page).getByText('e-visa.pdf')).toBeVisible();
  await form(page).getByRole('button', { name: 'Upload and email via AWS' }).press('Enter');
  await dialog.getByLabel('Reason').fill('They travel together');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expectToast(page, 'status', /visa-13@traveller\.example/);
  await expect(form(page).getByText('Reason: They travel together')).toBeVisible();
});

test('a scanned visa is delivered once it is read', async ({ page, server }) => {
  test.setTimeout(300_000);
  await server.importOrders([{ external_reference: 'VISA-11' }]);
  await openNew(page, 'Traveller VISA-11');
  await form(page).getByLabel('Visa', { exact: true }).setInputFiles(visaFile('A scan'));
  await form(page).getByRole('button', { name: 'Upload and email via AWS' }).click();
  await expectToast(page, 'status', /It is read first/);
  await expect(form(page).getByText('Not delivered yet')).toBeVisible();
  await inspectState(page, 'visa-not-delivered-yet');
  // It is delivered after two minutes, however busy the machine is.
  await expect(form(page).getByText('Not delivered yet')).toBeHidden({ timeout: 180_000 });
  await expect(page.getByRole('main').getByText('Completed', { exact: true })).toBeVisible();
});

test("another traveller's visa is told at once, and stays marked until a member has looked", async ({
  page,
  server,
}) => {
  const traveller = { document_number: 'PA1234567', date_of_birth: '1990-05-17' };
  await server.importOrders([{ external_reference: 'VISA-7', ...traveller }]);
  await openNew(page, 'Traveller VISA-7');
  const other = visaOf('Bob Visser, passport PA1234567, born 01/02/1980');
  await form(page).getByLabel('Visa', { exact: true }).setInputFiles(other);
  await form(page).getByRole('button', { name: 'Upload and email via AWS' }).click();
  const differs = 'name and date of birth of the order are not on it';
  await expectToast(page, 'alert', `Please check this visa: the ${differs}.`);

  const visas = form(page).getByRole('list', { name: 'Issued visas' });
  await expect(visas.getByText('Check', { exact: true })).toBeVisible();
  await page.reload();
  await expect(visas.getByText('Check', { exact: true })).toBeVisible();
  await inspect(page, 'visa-that-differs');
  await visas.getByRole('button', { name: 'Confirm this visa' }).press('Enter');
  await expectToast(page, 'status', 'Noted that you have looked at the visa');
  await expect(visas.getByText('Check', { exact: true })).toBeHidden();
  await expect(visas.getByText(differs)).toBeVisible();
  await page.reload();
  await expect(visas.getByText('Check', { exact: true })).toBeHidden();
});
