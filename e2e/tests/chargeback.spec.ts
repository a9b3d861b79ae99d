import type { Page } from '@playwright/test';

import { confirm, expectToast, row } from '../support/staffActions.ts';
import type { TestServer } from '../support/testServer.ts';
import { inspect } from '../support/visualChecks.ts';
import { agencyDay, type KnownOrder } from '../support/orders.ts';
import { STAFF, type StaffType } from '../support/staff.ts';
import { expect, signInAs, test } from '../support/test.ts';

const SCREEN = '/admin/chargeback';

const disputed = (reference: string): KnownOrder => ({
  external_reference: reference,
  process_status: 'ChargeBack',
});
const disputedRow = (page: Page, reference: string) =>
  row(page, `${reference.toLowerCase()}@traveller.example`);

/** Records when the chargeback was opened, in days from today, and how it ended. */
async function record(
  page: Page,
  server: TestServer,
  reference: string,
  days: number,
  outcome = 'Open',
): Promise<void> {
  const id = await disputedRow(page, reference).getByRole('cell').nth(1).innerText();
  const form = { network: 'Visa', openedOn: agencyDay(days), outcome };
  await server.call('Manager', 'POST', 'admin/save-chargeback', { orderId: Number(id), ...form });
}

test.describe('an Admin', () => {
  test.use({ as: 'Admin' });

  test('sees how long is left to answer each chargeback', async ({ page, server }) => {
    const references = ['CB-LATE', 'CB-TODAY', 'CB-URGENT', 'CB-SOON', 'CB-CALM', 'CB-WON'];
    await server.importOrders(references.map(disputed));
    await page.goto(`${SCREEN}?limit=500`);
    for (const [reference, days] of [
      ['CB-LATE', -9],
      ['CB-TODAY', -7],
      ['CB-URGENT', -6],
      ['CB-SOON', -3],
      ['CB-CALM', 0],
    ] as const) {
      await record(page, server, reference, days);
    }
    await record(page, server, 'CB-WON', -20, 'Won');
    await page.reload();
    for (const [reference, words] of [
      ['CB-LATE', 'Overdue by 2 days'],
      ['CB-TODAY', 'Due today'],
      ['CB-URGENT', '1 day left · Urgent'],
      ['CB-SOON', '4 days left · Soon'],
      ['CB-CALM', '7 days left · In time'],
      ['CB-WON', 'Won'],
    ] as const) {
      await expect(disputedRow(page, reference).getByText(words, { exact: true })).toBeVisible();
    }
    await inspect(page, 'chargebacks');
  });

  test('finds the most urgent chargeback first, and the newest first on request', async ({
    page,
    server,
  }) => {
    await server.importOrders([disputed('CB-OLD')]);
    await server.importOrders([disputed('CB-NEW')]);
    await page.goto(`${SCREEN}?limit=500`);
    await record(page, server, 'CB-OLD', -90);
    await record(page, server, 'CB-NEW', 0);
    await page.reload();
    const first = page.getByRole('row').nth(1);
    await expect(first).toContainText('cb-old@');
    await page.getByRole('button', { name: 'Newest first' }).click();
    await expect(page).toHaveURL(/chargeback\?limit=500&sort=newest$/);
    await expect(first).toContainText('cb-new@');
    await page.goBack();
    await expect(first).toContainText('cb-old@');
  });

  test('sees a list that fits every width, with a long address and empty', async ({
    page,
    server,
  }) => {
    const email = `${'maria.magdalena.'.repeat(2)}soerjadiningrat@correspondence.traveller.example`;
    await server.importOrders([{ ...disputed('CB-LONG'), contact_email_address: email }]);
    await page.goto(`${SCREEN}?q=soerjadiningrat`);
    await expect(row(page, email)).toContainText('7 days left · In time');
    await inspect(page, 'chargebacks-long');
    await page.goto(`${SCREEN}?q=nobody-has-this`);
    await expect(page.getByText('No records found')).toBeVisible();
    await inspect(page, 'chargebacks-empty');
  });
});

const ROLES: readonly (readonly [StaffType, boolean])[] = [
  ['Admin', true],
  ['Manager', true],
  ['Team', false],
  ['Telecaller', false],
  ['Night Staff', false],
];

test('each type of staff views a chargeback, and an Admin and a Manager delete it', async ({
  page,
  server,
}) => {
  await server.importOrders(ROLES.map((_, at) => disputed(`CB-ROLE-${at}`)));
  for (const [at, [type, mayDelete]] of ROLES.entries()) {
    await test.step(type, async () => {
      await signInAs(page, server, type);
      await page.goto(SCREEN);
      await expect(page.getByText(`Welcome, ${STAFF[type].name}`)).toBeVisible();
      await page.getByRole('searchbox').fill(`cb-role-${at}`);
      const cells = disputedRow(page, `CB-ROLE-${at}`);
      await expect(cells.getByRole('link', { name: /^View/ })).toBeVisible();
      const deletes = cells.getByRole('button', { name: /^Delete/ });
      await expect(deletes).toHaveCount(mayDelete ? 1 : 0);
      if (!mayDelete) return;
      await deletes.click();
      await confirm(page, 'Are you sure you want to delete?');
      await expectToast(page, 'status', 'Order has been deleted successfully');
      await expect(cells).toHaveCount(0);
    });
  }
});
