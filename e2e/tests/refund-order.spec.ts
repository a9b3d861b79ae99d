import type { Page } from '@playwright/test';

import {
  confirm,
  expectToast,
  open,
  row,
  select,
  sidebarCount,
  tabTo,
} from '../support/staffActions.ts';
import { inspect } from '../support/visualChecks.ts';
import { agencyDay, type KnownOrder } from '../support/orders.ts';
import { STAFF, type StaffType } from '../support/staff.ts';
import { expect, signInAs, test } from '../support/test.ts';

const SCREEN = '/admin/refund-order';
const QUESTION = 'Are you sure you want to mark the selected orders as refunded?';

const due = (reference: string): KnownOrder => ({
  external_reference: reference,
  process_status: 'Refunds',
});
const emailOf = (reference: string): string => `${reference.toLowerCase()}@traveller.example`;
const refundRow = (page: Page, reference: string) => row(page, emailOf(reference));
const today = (): string => agencyDay(0).split('-').toReversed().join('-');

async function refund(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Refunded it' }).click();
  await confirm(page, QUESTION);
}

test.describe('a Team member', () => {
  test.use({ as: 'Team' });

  test('marks orders as refunded once, however often it is repeated', async ({ page, server }) => {
    await server.importOrders([due('BACK-1'), due('BACK-2'), due('BACK-3')]);
    await page.goto(SCREEN);
    const mails = (await server.mailsInFolder()).length;
    for (const reference of ['BACK-1', 'BACK-2']) {
      await expect(refundRow(page, reference)).toContainText('Due');
    }
    await expect.poll(() => sidebarCount(page, 'Refunds')).toBeGreaterThan(0);
    const total = await sidebarCount(page, 'Refunds');
    await select(page, emailOf('BACK-1'), emailOf('BACK-2'));
    await refund(page);
    await expectToast(page, 'status', '2 refunded, 0 already refunded');
    for (const reference of ['BACK-1', 'BACK-2']) {
      await expect(refundRow(page, reference)).toContainText(today());
      await expect(refundRow(page, reference)).not.toContainText('Due');
    }
    expect(await sidebarCount(page, 'Refunds')).toBe(total);

    await select(page, emailOf('BACK-1'), emailOf('BACK-2'));
    await expect(page.getByText(/^2 (on this page )?selected$/)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Refunded it' })).toBeHidden();
    await select(page, emailOf('BACK-3'));
    await refund(page);
    await expectToast(page, 'status', '1 refunded, 2 already refunded');
    await expect.poll(async () => (await server.mailsInFolder()).length).toBe(mails + 3);
    const recipients = (await server.mailsInFolder())
      .slice(mails)
      .map(({ to }) => to?.[0]?.address);
    expect(recipients.toSorted()).toEqual(['BACK-1', 'BACK-2', 'BACK-3'].map(emailOf));

    await open(page, emailOf('BACK-1'));
    await expect(page.getByText(/^Refunded/)).toContainText(today());
    await expect(page.getByRole('region', { name: 'Email History' })).toContainText('AWS');
  });

  test('sees which order is disputed and refunds the others', async ({ page, server }) => {
    await server.importOrders([due('TWICE-1'), due('TWICE-2')]);
    await page.goto(SCREEN);
    await select(page, emailOf('TWICE-1'), emailOf('TWICE-2'));
    const id = await refundRow(page, 'TWICE-1').getByRole('cell').nth(1).innerText();
    const orderId = [Number(id)];
    const updatingStatus = 'ChargeBack';
    await server.call('Manager', 'PUT', 'admin/move-order-status', { orderId, updatingStatus });
    await refund(page);
    await expectToast(
      page,
      'alert',
      `Nothing was changed: order ${id} has an open chargeback, and a refund would pay the customer twice`,
    );
    // An error with an action stays until it is closed.
    await expect(page.locator('.Toastify__progress-bar--animated')).toHaveCount(0);
    await page.getByRole('button', { name: 'Leave it out and try again' }).click();
    await expectToast(page, 'status', '1 refunded, 0 already refunded');
    await expect(refundRow(page, 'TWICE-2')).toContainText(today());
    await expect(refundRow(page, 'TWICE-1')).toHaveCount(0);
  });

  test(
    'marks an order as refunded with the keyboard alone',
    { tag: '@screen' },
    async ({ page, server }) => {
      await server.importOrders([due('KEYS-1')]);
      await page.goto(SCREEN);
      await expect(refundRow(page, 'KEYS-1')).toContainText('Due');
      // The newest order is first.
      await page.keyboard.press('j');
      await page.keyboard.press('x');
      await expect(refundRow(page, 'KEYS-1').getByRole('checkbox')).toBeChecked();
      await tabTo(page, page.getByRole('button', { name: 'Refunded it' }));
      await page.keyboard.press('Enter');
      await expect(page.getByRole('dialog')).toContainText(QUESTION);
      await page.keyboard.press('Enter');
      await expectToast(page, 'status', '1 refunded, 0 already refunded');
    },
  );
});

const ROLES: readonly (readonly [StaffType, boolean])[] = [
  ['Admin', true],
  ['Manager', true],
  ['Team', false],
  ['Telecaller', false],
  ['Night Staff', false],
];

test(
  'each type of staff refunds, an Admin and a Manager delete, and a row is only viewed',
  { tag: '@screen' },
  async ({ page, server }) => {
    await server.importOrders(ROLES.map((_, at) => due(`ROLE-${at}`)));
    for (const [at, [type, mayDelete]] of ROLES.entries()) {
      await test.step(type, async () => {
        await signInAs(page, server, type);
        await page.goto(SCREEN);
        await expect(page.getByText(`Welcome, ${STAFF[type].name}`)).toBeVisible();
        const cells = refundRow(page, `ROLE-${at}`);
        await expect(cells.getByRole('link', { name: /^View/ })).toBeVisible();
        await expect(cells.getByRole('button')).toHaveCount(0);
        await select(page, emailOf(`ROLE-${at}`));
        const deletes = page.getByRole('button', { name: 'Delete Order' });
        await expect(deletes).toHaveCount(mayDelete ? 1 : 0);
        await refund(page);
        await expectToast(page, 'status', '1 refunded, 0 already refunded');
      });
    }
  },
);

test.describe('an Admin', () => {
  test.use({ as: 'Admin' });

  test('sees a list that fits every width, full and empty', async ({ page, server }) => {
    const email = `${'maria.magdalena.'.repeat(2)}soerjadiningrat@correspondence.traveller.example`;
    await server.importOrders([
      { ...due('LOOK-1'), contact_email_address: email, phone_number: '81234567890123' },
      due('LOOK-2'),
      { ...due('LOOK-3'), refund_date: '2026-03-09T20:30:00Z' },
    ]);
    await page.goto(SCREEN);
    await select(page, emailOf('LOOK-2'));
    await inspect(page, 'refunds');
    await page.goto(`${SCREEN}?q=nobody-has-this`);
    await expect(page.getByText('No records found')).toBeVisible();
    await inspect(page, 'refunds-empty');
  });
});
