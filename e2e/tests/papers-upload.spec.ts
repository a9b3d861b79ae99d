/** The applicant sends papers that staff asked for, from the link in the mail. */

import type { Locator, Page } from '@playwright/test';

import { passportLines, pdf, type PickedFile } from '../support/papers.ts';
import { portrait } from '../support/portraits.ts';
import { expect, test } from '../support/test.ts';
import type { TestServer } from '../support/testServer.ts';
import { track } from '../support/visitor.ts';
import { inspect, inspectState } from '../support/visualChecks.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const LIMIT_BYTES = 20 * 1024 * 1024;

/** What is asked for, with the codes of the reasons. */
const ASKED = [
  ['passport', 'lines_cut_off'],
  ['recent_photo', 'too_small'],
] as const;

/** The papers that the visa needs, and the kinds under which they are stored. */
const NEEDED = [
  ['passport', 'passport_picture'],
  ['bank_statement', 'bank_statement'],
  ['recent_photo', 'upload_picture'],
] as const;

/** Imports an order that has the other papers, asks its applicant for papers and returns the link of the mail. */
async function askFor(
  server: TestServer,
  reference: string,
  items: readonly (readonly [kind: string, reason: string])[] = ASKED,
  language = 'en',
): Promise<string> {
  await server.importOrders([
    {
      external_reference: reference,
      full_name: 'Maria Fernanda de los Ángeles Villavicencio-Oyarzábal',
      passport_from: 'Australia',
      document_number: 'PB1204417',
    },
  ]);
  const { orderId, email } = await server.findOrder('newOrder', `${reference.toLowerCase()}@`);
  const asked = new Set<string>(items.map(([kind]) => kind));
  const others = NEEDED.filter(([kind]) => !asked.has(kind));
  await server.addFiles(
    reference,
    others.map(([, stored]) => [stored, pdf(stored)]),
  );
  await server.call('Admin', 'POST', 'admin/ask-for-papers', {
    orderId,
    language,
    items: items.map(([kind, reason]) => ({ kind, reason })),
  });
  let link: string | undefined;
  await expect(async () => {
    const mails = await server.mailsInFolder();
    const mail = mails.findLast(({ to }) => to?.some(({ address }) => address === email));
    link = /https?:\/\/\S+#key=[\w-]{43}/.exec(mail?.text ?? '')?.[0];
    expect(link, 'a link with a key').toBeDefined();
  }).toPass();
  return link!;
}

const card = (page: Page, name: string): Locator => page.getByRole('article', { name });
const passport = (page: Page): Locator => card(page, 'Passport, the page with your photo');
const photograph = (page: Page): Locator => card(page, 'Photograph');

/** Chooses a file with a button of the card. */
async function pick(button: Locator, file: PickedFile): Promise<void> {
  const asked = button.page().waitForEvent('filechooser');
  await button.click();
  await (await asked).setFiles(file);
}

/** A passport as a PDF, with its machine-readable lines or without. */
const passportFile = (lines: string): PickedFile => ({
  name: 'passport.pdf',
  mimeType: 'application/pdf',
  buffer: pdf(lines),
});
const whole = passportFile(passportLines().join(') Tj 0 -30 Td ('));
const cutOff = passportFile('PASSPORT');

test.describe('on a phone', () => {
  test.use(PHONE);

  test('papers are taken, taken again and received, and the order comes back', async ({
    page,
    server,
  }) => {
    const link = await askFor(server, 'SENT-1');
    await page.goto(link);

    await test.step('each paper says why it is asked for', async () => {
      await expect(passport(page)).toContainText('The bottom lines of the passport are cut off.');
      await expect(photograph(page)).toContainText('The picture is too small.');
      const cameras = page.locator('input[capture]');
      await expect(cameras.first()).toHaveAttribute('capture', 'environment');
      await expect(cameras.last()).toHaveAttribute('capture', 'user');
    });

    await test.step('a fault is told at once, and another file is fine', async () => {
      await pick(passport(page).getByRole('button', { name: 'Choose a file' }), cutOff);
      await expect(passport(page)).toContainText('are cut off or cannot be read.');
      await pick(passport(page).getByRole('button', { name: 'Choose a file' }), whole);
      await expect(passport(page)).toContainText('Received');
    });

    await test.step('a photograph that is too small is taken again', async () => {
      const small = await portrait(page, 200, 300);
      await pick(photograph(page).getByRole('button', { name: 'Take a picture' }), small);
      await expect(photograph(page).locator('canvas')).toBeVisible();
      const again = photograph(page).getByRole('button', { name: 'Take the picture again' });
      await expect(again).toBeVisible();
      await expect(photograph(page)).toContainText('The picture is too small.');
      await pick(again, await portrait(page, 800, 1200));
      await expect(page.getByText('Thank you. Everything is here')).toBeVisible();
    });

    await test.step('the order is back where it was', async () => {
      await expect(async () => {
        expect((await server.findOrder('newOrder', 'sent-1@')).email).toContain('sent-1@');
      }).toPass();
      await page.reload();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(
        'We have received your application',
      );
      await expect(page.getByRole('article')).toHaveCount(0);
    });
  });

  test('a photograph with a fault is sent all the same', async ({ page, server }) => {
    await page.goto(await askFor(server, 'SENT-2', [['recent_photo', 'missing']]));
    const take = photograph(page).getByRole('button', { name: 'Take a picture' });
    await expect(take).toBeVisible();
    await pick(take, await portrait(page, 200, 300));
    await photograph(page).getByRole('button', { name: 'Send anyway' }).tap();
    await expect(page.getByText('Thank you. Everything is here')).toBeVisible();
  });

  test('a lost connection loses nothing', async ({ page, server, context }) => {
    await page.goto(await askFor(server, 'SENT-3'));
    const choose = photograph(page).getByRole('button', { name: 'Choose a file' });
    await expect(choose).toBeVisible();
    const picture = await portrait(page, 800, 1200);
    await context.setOffline(true);
    await pick(choose, picture);
    await expect(photograph(page)).toContainText('You are not connected');
    await context.setOffline(false);
    await photograph(page).getByRole('button', { name: 'Try again' }).tap();
    await expect(photograph(page)).toContainText('Received');
    await expect(passport(page).getByRole('button', { name: 'Choose a file' })).toBeVisible();
  });
});

test.describe('of an order that was just paid', () => {
  test.use(PHONE);

  test('a document that is missing is sent without being asked for, and members see it', async ({
    page,
    server,
  }) => {
    await server.importOrders([
      { external_reference: 'MISSING-1', full_name: 'Wilhelmina Okonkwo' },
    ]);
    const order = await server.findOrder('newOrder', 'missing-1@');
    await track(page, order);
    await expect(passport(page)).toBeVisible();
    await expect(photograph(page)).toBeVisible();
    await inspect(page, 'missing-papers');
    await pick(passport(page).getByRole('button', { name: 'Choose a file' }), cutOff);
    await expect(passport(page)).toContainText('are cut off or cannot be read.');
    await inspectState(page, 'missing-paper-with-a-fault');
    await pick(passport(page).getByRole('button', { name: 'Choose a file' }), whole);
    await expect(passport(page)).toContainText('Received');
    await page.reload();
    await expect(passport(page)).toContainText('Received');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      'We have received your application',
    );
    expect((await server.findOrder('newOrder', 'missing-1@')).orderId).toBe(order.orderId);
  });
});

test('files that cannot be taken are refused, with the keyboard alone', async ({
  page,
  server,
}) => {
  await page.goto(await askFor(server, 'SENT-4', [['bank_statement', 'missing']]));
  const statement = page.getByRole('article', { name: 'Bank statement' });
  const choose = statement.getByRole('button', { name: 'Choose a file' });
  await expect(statement.getByRole('button', { name: 'Take a picture' })).toBeHidden();

  const give = async (file: PickedFile) => {
    const asked = page.waitForEvent('filechooser');
    await choose.focus();
    await page.keyboard.press('Enter');
    await (await asked).setFiles(file);
  };
  await give({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('notes') });
  await expect(statement).toContainText('Only JPEG, PNG and PDF files can be sent.');
  await give({
    name: 'large.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.alloc(LIMIT_BYTES + 1),
  });
  await expect(statement).toContainText('This file is larger than 20 MB.');
  const answered = page.waitForResponse('**/front/upload-paper');
  await give({ name: 'text.pdf', mimeType: 'application/pdf', buffer: Buffer.from('a text') });
  const answer = await answered;
  expect(answer.status()).toBeLessThan(500);
  const { message } = (await answer.json()) as { message: string };
  await expect(statement.getByRole('alert')).toHaveText(message);
  await give(passportFile('Balance 2,000'));
  await expect(page.getByText('Thank you. Everything is here')).toBeVisible();
  await expect(page.getByRole('region', { name: 'What we need from you' })).toBeFocused();
});

for (const [language, name, heading, choose, anyway] of [
  ['en', 'papers-upload', 'What we need from you', 'Choose a file', 'Send anyway'],
  ['ar', 'papers-upload-ar', 'ما نحتاج إليه منك', 'اختر ملفًا', 'الإرسال على أي حال'],
] as const) {
  test(`the page of asked-for papers fits every width in ${language}`, async ({
    page,
    context,
    server,
  }) => {
    const link = await askFor(
      server,
      `FITS-${language}`,
      [...ASKED, ['bank_statement', 'period_too_short']],
      language,
    );
    await context.addCookies([{ name: 'visadesk_language', value: language, url: server.url }]);
    await page.goto(link);
    await expect(page.getByRole('heading', { name: heading })).toBeVisible();
    await page.reload();
    await expect(page.getByRole('heading', { name: heading })).toBeVisible();
    await inspect(page, name);
    const last = page.getByRole('article').last();
    await pick(last.getByRole('button', { name: choose }), await portrait(page, 200, 300));
    await expect(last.getByRole('button', { name: anyway })).toBeVisible();
    await inspectState(page, `${name}-looked`);
  });
}
