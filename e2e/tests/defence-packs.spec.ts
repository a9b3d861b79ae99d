/** Chargebacks in the order details: the record, the transaction and the packs. */

import { createHash } from 'node:crypto';

import type { Locator, Page } from '@playwright/test';

import { expectToast, open, row, search, tabTo } from '../support/staffActions.ts';
import { openPdfTab } from '../support/pdfTab.ts';
import { expectNoLayoutShift, inspect } from '../support/visualChecks.ts';
import { agencyDay, type KnownOrder } from '../support/orders.ts';
import { STAFF } from '../support/staff.ts';
import { expect, signInAs, test } from '../support/test.ts';

const payment = {
  gateway: 'Stripe',
  payment_reference: 'pay_1',
  amount: '149.00',
  currency: 'USD',
  card_brand: 'mastercard',
  card_last_four: '4444',
};
const disputed = (reference: string): KnownOrder => ({
  external_reference: reference,
  process_status: 'ChargeBack',
  payment,
});

const card = (page: Page): Locator => page.getByRole('region', { name: 'Defence Packs' });
const form = (page: Page): Locator => page.getByRole('form', { name: 'Chargeback' });
const made = (page: Page): Locator => card(page).getByRole('list', { name: 'Generated packs' });
const heading = (page: Page, name: string): Locator =>
  page.getByRole('heading', { name, exact: true });
const plain = (date: string): string => date.split('-').toReversed().join('-');

/** Opens an order by its email from a list. */
async function openOrder(page: Page, list: string, reference: string): Promise<void> {
  const email = `${reference.toLowerCase()}@traveller.example`;
  await page.goto(`/admin/${list}`);
  await search(page, email);
  await open(page, email);
}

const idOf = async (page: Page): Promise<number> =>
  Number((await page.getByRole('heading', { level: 1 }).innerText()).replaceAll(/\D/g, ''));

/** Makes a pack and checks that the new tab receives the stored file. */
async function makePack(page: Page, type: 1 | 2, press: (button: Locator) => Promise<void>) {
  const button = card(page).getByRole('button', { name: `Defence Pack ${type}`, exact: true });
  await expect(card(page).getByRole('heading', { name: 'Evidence' })).toBeVisible();
  const address = await openPdfTab(page, () => press(button));
  await expectToast(page, 'status', `Defence Pack ${type} is ready`);

  const name = `DP${type}${await idOf(page)}.pdf`;
  const file = await page.context().request.get(address);
  expect(file.headers()['content-disposition']).toBe(`inline; filename="${name}"`);
  const content = await file.body();
  expect(content.subarray(0, 5).toString()).toBe('%PDF-');
  const hash = createHash('sha256').update(content).digest('hex');
  const entry = made(page).getByRole('listitem').filter({ hasText: name }).first();
  await expect(entry.getByTitle(hash)).toBeVisible();
  return entry;
}

/** Loads the order again: what a slow answer to the member's own click has moved is no layout shift of the loading. */
async function reload(page: Page): Promise<void> {
  await page.reload();
  await expect(heading(page, 'Evidence')).toBeVisible();
}

/** The titles of the cards in the window, each with its place. Runs in the page. */
function topsInView(): string[] {
  return [...document.querySelectorAll('main h2')]
    .map((title) => ({ title, top: title.getBoundingClientRect().top }))
    .filter(({ top }) => top >= 0 && top < innerHeight)
    .map(({ title, top }) => `${title.textContent}: ${Math.round(top)}`);
}

const click = (button: Locator): Promise<void> => button.click();

test.describe('a Team member', () => {
  test.use({ as: 'Team' });

  test('sees what is missing, enters the transaction, and makes both packs', async ({
    page,
    server,
  }) => {
    await server.importOrders([disputed('PACK-1')]);
    await openOrder(page, 'chargeback', 'PACK-1');
    await expect(card(page).getByText(/^\d+ of \d+ pieces missing$/)).toBeVisible();
    const transaction = card(page).getByText('Transaction id and merchant name');
    await expect(transaction.locator('xpath=following-sibling::dd')).toHaveText('Missing');
    await expect(card(page).getByRole('heading', { name: /Visa CE 3.0/ })).toContainText(
      'Not eligible',
    );
    await expect(card(page).getByText('No packs yet.')).toBeVisible();

    await card(page).getByRole('button', { name: 'Enter Transaction Details' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog.getByText('Please enter your Transaction Id')).toBeVisible();
    await expect(dialog.getByText('Please enter your Merchant Name')).toBeVisible();
    await dialog.getByLabel('Transaction Id').fill('TX-20261120-1');
    await dialog.getByLabel('Merchant Name').fill('ISLAND VISAS');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expectToast(page, 'status', 'Transaction details saved successfully');
    await expect(dialog).toBeHidden();
    await expect(transaction.locator('xpath=following-sibling::dd')).toContainText('TX-20261120-1');

    const first = await makePack(page, 1, click);
    await expect(first).toContainText('Budi Santoso');
    await makePack(page, 2, click);
    await expect(made(page).getByRole('listitem')).toHaveCount(2);

    await openPdfTab(page, () => made(page).getByRole('link').first().click());
  });

  test('makes a pack and saves the chargeback with the keyboard alone', async ({
    page,
    server,
  }) => {
    await server.importOrders([disputed('PACK-2')]);
    await openOrder(page, 'chargeback', 'PACK-2');
    await tabTo(page, form(page).getByLabel('Case id'));
    await page.keyboard.type('CB-2026-77');
    await page.keyboard.press('Enter');
    await expectToast(page, 'status', 'Chargeback saved successfully');
    await expect(form(page).getByLabel('Case id')).toHaveValue('CB-2026-77');
    await makePack(page, 1, async (button) => {
      await tabTo(page, button);
      await page.keyboard.press('Enter');
    });
    const enter = card(page).getByRole('button', { name: 'Enter Transaction Details' });
    await tabTo(page, enter);
    await page.keyboard.press('Enter');
    await page.keyboard.type('TX-9');
    await page.keyboard.press('Tab');
    await page.keyboard.type('ISLAND VISAS');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(enter).toBeFocused();
  });

  test('finds the chargeback filled in from the payment, with a deadline that follows the network', async ({
    page,
    server,
  }) => {
    await server.importOrders([disputed('PACK-3')]);
    await openOrder(page, 'chargeback', 'PACK-3');
    const field = (label: string): Locator => form(page).getByLabel(label);
    await expect(field('Network')).toHaveValue('Mastercard');
    await expect(field('Amount')).toHaveValue('149.00');
    await expect(field('Currency')).toHaveValue('USD');
    await expect(field('Opened on')).toHaveValue(plain(agencyDay(0)));
    await expect(field('Respond by')).toHaveValue(plain(agencyDay(45)));
    await field('Network').selectOption('PayPal');
    await expect(field('Respond by')).toHaveValue(plain(agencyDay(10)));
    await field('Opened on').fill(agencyDay(-4));
    await expect(field('Respond by')).toHaveValue(plain(agencyDay(6)));
    await field('Respond by').fill(agencyDay(1));
    await field('Network').selectOption('Visa');
    await expect(field('Respond by')).toHaveValue(plain(agencyDay(1)));
    await form(page).getByRole('button', { name: 'Save Chargeback' }).click();
    await expectToast(page, 'status', 'Chargeback saved successfully');
    const region = page.getByRole('region', { name: 'Chargeback' });
    await expect(region).toContainText('1 day left · Urgent');
    await expect(region).toContainText(`Answer by ${plain(agencyDay(1))}`);

    // The form is filled with what was saved before it takes the next choice.
    await expect(form(page)).toHaveAttribute('aria-busy', 'false');
    await field('Outcome').selectOption('Lost');
    await form(page).getByRole('button', { name: 'Save Chargeback' }).click();
    await expect(region).not.toContainText('Answer by');
    await expect(region).toContainText('Lost');
  });

  test('sees the chargeback of an order that left ChargeBack, and can still make packs', async ({
    page,
    server,
  }) => {
    await server.importOrders([disputed('PACK-5')]);
    await openOrder(page, 'chargeback', 'PACK-5');
    const region = page.getByRole('region', { name: 'Chargeback' });
    await expect(region).toContainText('7 days left · In time');
    await page.getByRole('button', { name: 'Completed Orders' }).click();
    await expect(region).toContainText('Withdrawn');
    await expect(region).not.toContainText('Answer by');
    await expect(card(page).getByRole('button', { name: /^Defence Pack/ })).toHaveCount(2);
    await page.getByRole('button', { name: 'Awaiting Govt' }).click();
    await expect(card(page)).toHaveCount(0);
    await expect(region).toContainText('Withdrawn');
  });

  test('sees who saved first and keeps the typed values', async ({ page, server }) => {
    await server.importOrders([disputed('PACK-4')]);
    // What the other saves is not heard of before.
    await page.route('**/api/admin/live', () => {});
    await openOrder(page, 'chargeback', 'PACK-4');
    await form(page).getByLabel('Case id').fill('MINE');
    const theirs = { network: 'Visa', outcome: 'Open', arn: '7412', openedOn: agencyDay(0) };
    const orderId = await idOf(page);
    await server.call('Manager', 'POST', 'admin/save-chargeback', { orderId, ...theirs });
    await form(page).getByRole('button', { name: 'Save Chargeback' }).click();
    await expectToast(page, 'alert', 'Made Wirawan');
    await expect(form(page).getByRole('alert')).toContainText('Made Wirawan changed this');
    await expect(form(page).getByLabel('Case id')).toHaveValue('MINE');
    await expect(form(page).getByLabel('ARN')).toHaveValue('7412');
    await page.reload();
    await expect(form(page).getByLabel('Case id')).toHaveValue('MINE');
    await form(page).getByRole('button', { name: 'Save Chargeback' }).click();
    await expectToast(page, 'status', 'Chargeback saved successfully');
    await page.reload();
    await expect(form(page).getByLabel('Case id')).toHaveValue('MINE');
    await expect(form(page).getByLabel('ARN')).toHaveValue('7412');
  });
});

test('every other type of staff makes a pack for a delivered order and for no other', async ({
  page,
  server,
}) => {
  const types = ['Admin', 'Manager', 'Telecaller', 'Night Staff'] as const;
  await server.importOrders([
    ...types.map((_, at) => ({ external_reference: `DONE-${at}`, process_status: 'Completed' })),
    { external_reference: 'WAIT-1', process_status: 'AwaitingGovt' },
  ]);
  for (const [at, type] of types.entries()) {
    await test.step(type, async () => {
      await signInAs(page, server, type);
      await openOrder(page, 'completed-order', `DONE-${at}`);
      await expect(await makePack(page, 2, click)).toContainText(STAFF[type].name);
      await openOrder(page, 'awaiting-govt', 'WAIT-1');
      await expect(page.getByRole('region', { name: 'Download History' })).toBeVisible();
      await expect(page.getByRole('button', { name: /Defence Pack|Transaction/ })).toHaveCount(0);
    });
  }
});

/** Shows the packs at every width: where there is no room for columns they are a tab. */
async function chooseDefence(page: Page): Promise<void> {
  await page.setViewportSize({ width: 900, height: 900 });
  await page.getByRole('tab', { name: 'Defence' }).click();
  await expect(heading(page, 'Evidence')).toBeVisible();
  await page.setViewportSize({ width: 1440, height: 900 });
}

/** Opens an order, whose evidence arrives when the returned function is called. */
async function openBeforeEvidence(page: Page, openIt: () => Promise<unknown>) {
  const asked = Promise.withResolvers<void>();
  const measured = Promise.withResolvers<void>();
  await page.route('**/defence-pack-details', async (route) => {
    asked.resolve();
    await measured.promise;
    await route.continue();
  });
  await openIt();
  await asked.promise;
  await expect(card(page)).toBeVisible();
  return async () => {
    measured.resolve();
    await expect(heading(page, 'Evidence')).toBeVisible();
  };
}

test.describe('an Admin', () => {
  test.use({ as: 'Admin' });

  for (const { status, list } of [
    { status: 'Completed', list: 'completed-order' },
    { status: 'ChargeBack', list: 'chargeback' },
  ]) {
    test(`sees nothing moved by the evidence that arrives (${status})`, async ({
      page,
      server,
    }) => {
      await server.importOrders([{ ...disputed('STILL-1'), process_status: status }]);
      await openOrder(page, list, 'STILL-1');
      for (const shown of ['Order Details', 'Timeline', 'Emails']) {
        const receive = await openBeforeEvidence(page, () => page.reload());
        await heading(page, shown).evaluate((it) => it.scrollIntoView({ block: 'center' }));
        const before = await page.evaluate(topsInView);
        await receive();
        expect(await page.evaluate(topsInView), shown).toEqual(before);
        await expectNoLayoutShift(page);
        await page.unrouteAll();
      }
    });
  }

  test('sees nothing moved by parts of the app that are loaded late', async ({ page, server }) => {
    await server.importOrders([disputed('LATE-1')]);
    await openOrder(page, 'chargeback', 'LATE-1');
    await page.route(/\/assets\/.+\.js$/, async (route) => {
      await new Promise((done) => setTimeout(done, 500));
      await route.continue();
    });
    await page.setViewportSize({ width: 900, height: 900 });
    await page.reload();
    await expect(form(page)).toBeVisible();
    await expectNoLayoutShift(page);
  });

  test('sees a chargeback and evidence that fit every width', async ({ page }) => {
    await page.goto('/admin/chargeback');
    const undecided = row(page, /Overdue|left/).first();
    await undecided.getByRole('link', { name: /^View/ }).click();
    await makePack(page, 1, click);
    await reload(page);
    await chooseDefence(page);
    await inspect(page, 'defence-packs', heading(page, 'Evidence'));
  });

  test('sees forms and evidence that fit every width, with long names and empty', async ({
    page,
    server,
  }) => {
    await server.importOrders([
      {
        external_reference: 'LONG-1',
        process_status: 'Completed',
        full_name: 'Raden Ajeng Siti Maria Magdalena Kusumawardhani Soerjadiningrat-Hadiwidjojo',
      },
    ]);
    await openOrder(page, 'completed-order', 'LONG-1');
    await card(page).getByRole('button', { name: 'Enter Transaction Details' }).click();
    await page.getByLabel('Transaction Id').fill(`pi_${'3QK8mN2eZvKYlo2C'.repeat(4)}`);
    await page
      .getByLabel('Merchant Name')
      .fill('ISLAND VISAS AND TRAVEL PAPERS INTERNATIONAL PTE LTD');
    await inspect(page, 'transaction-details');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByRole('dialog')).toBeHidden();
    await reload(page);
    await chooseDefence(page);
    await inspect(page, 'defence-packs-empty', heading(page, 'Evidence'));
  });
});
