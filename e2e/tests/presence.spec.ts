/** Members see who has an order open, and are asked before they do the same as a colleague. */

import type { Locator, Page } from '@playwright/test';

import { test } from '../support/colleague.ts';
import { visaOf } from '../support/papers.ts';
import { confirm, expectToast, row, select } from '../support/staffActions.ts';
import { STAFF } from '../support/staff.ts';
import { expect } from '../support/test.ts';
import { encoded } from '../support/visitor.ts';
import { expectNoLayoutShift, inspectState } from '../support/visualChecks.ts';

test.use({ as: 'Team' });

const LATE = { external_reference: 'LATE-1', full_name: 'Wilhelmina Aurelia Okonkwo-Oyarzábal' };
const BUDI = STAFF.Team.name;
const MADE = STAFF.Manager.name;

const here = (page: Page): Locator => page.getByRole('list', { name: 'Colleagues at this order' });
const start = (desk: Page) => desk.getByRole('button', { name: 'Refunded it' }).click();
const pathOf = (orderId: number) => `/admin/view-order/${encodeURIComponent(encoded(orderId))}`;

test('an order shows who has it open and who is typing, in its header and in lists, until they leave', async ({
  page,
  server,
  colleague,
}) => {
  await server.importOrders([{ ...LATE, process_status: 'Awaiting' }]);
  const { orderId } = await server.findOrder('awaitingOrder', 'late-1@');
  const made = await colleague('Manager');
  await made.goto('/admin/awaiting-response');
  const listed = row(made, LATE.full_name);
  await expect(listed).toBeVisible();
  await page.goto(pathOf(orderId));
  await expect(listed).toContainText(`${BUDI} has this order open`);
  await expectNoLayoutShift(made);
  await inspectState(made, 'colleague-in-a-list');

  await made.goto(pathOf(orderId));
  await expect(here(made)).toHaveText(`BS${BUDI} has this order open`);
  await expect(here(page)).toHaveText(`MW${MADE} has this order open`);
  await page.getByRole('textbox', { name: 'Add Comment Below' }).fill('Called, no answer');
  await expect(here(made)).toHaveText(`BS${BUDI} is typing`);
  await expectNoLayoutShift(made);
  await inspectState(made, 'colleague-types');
  // A second window has no stream of its own.
  const second = await made.context().newPage();
  await second.goto(pathOf(orderId));
  await expect(here(second)).toContainText(BUDI);
  await page.goto('/admin');
  for (const window of [made, second]) await expect(here(window)).toBeHidden();
});

test('a refund and a delivery that a colleague has begun ask first', async ({
  page,
  server,
  colleague,
}) => {
  await server.importOrders([
    { ...LATE, process_status: 'Refunds' },
    { external_reference: 'VISA-1', process_status: 'Awaiting' },
  ]);
  const refund = await server.findOrder('refundOrder', 'late-1@');
  const delivery = await server.findOrder('awaitingOrder', 'visa-1@');
  const made = await colleague('Manager');
  for (const desk of [page, made]) {
    await desk.goto('/admin/refund-order');
    await select(desk, refund.email);
  }
  const beside = made.getByRole('dialog', {
    name: `${BUDI} is marking as refunded order ${refund.orderId}`,
  });
  await start(page);
  await expect(row(made, refund.email)).toContainText(`${BUDI} is marking it as refunded`);
  await start(made);
  await inspectState(made, 'refund-beside-a-colleague');
  await beside.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await expect(row(made, refund.email)).not.toContainText(BUDI);
  await start(made);
  await confirm(made, 'Are you sure you want to mark the selected orders as refunded?');
  await expectToast(made, 'status', '1 refunded');

  for (const desk of [page, made]) {
    await desk.goto(pathOf(delivery.orderId));
    const form = desk.getByRole('form', { name: 'Upload Document' });
    await form.getByLabel('Visa', { exact: true }).setInputFiles(visaOf('Traveller VISA-1'));
  }
  await expect(here(made)).toHaveText(`BS${BUDI} is delivering a visa`);
  await made.getByRole('button', { name: 'Upload and email via AWS' }).click();
  await made
    .getByRole('dialog', { name: `${BUDI} is delivering a visa of order ${delivery.orderId}` })
    .getByRole('button', { name: 'Deliver anyway' })
    .click();
  await expectToast(made, 'status', /visa-1@traveller\.example/);
});
