/** Refunds that a second person approves, in the browsers of two members. */

import type { Page } from '@playwright/test';

import { test } from '../support/colleague.ts';
import { confirm, expectToast, open, row, select, tabTo } from '../support/staffActions.ts';
import { inspect, inspectState } from '../support/visualChecks.ts';
import type { KnownOrder } from '../support/orders.ts';
import { STAFF, type StaffType } from '../support/staff.ts';
import type { TestServer } from '../support/testServer.ts';
import { expect } from '../support/test.ts';

const REFUNDS = '/admin/refund-order';
const APPROVALS = '/admin/refund-approvals';
const QUESTION = 'Are you sure you want to mark the selected orders as refunded?';

test.use({ as: 'Team', settings: { VISADESK_REFUNDS__APPROVAL_ORDERS: '2' } });

const due = (reference: string): KnownOrder => ({
  external_reference: reference,
  process_status: 'Refunds',
});
const emailOf = (reference: string): string => `${reference.toLowerCase()}@traveller.example`;
const waiting = (page: Page) => page.getByRole('region', { name: 'Waiting refund approvals' });
const dialog = (page: Page) => page.getByRole('dialog');
const review = (page: Page) =>
  row(page, STAFF.Team.name)
    .getByRole('button', { name: /^Review/ })
    .click();

async function refund(page: Page, ...references: string[]): Promise<void> {
  await page.goto(`${REFUNDS}?limit=50`);
  await select(page, ...references.map(emailOf));
  await page.getByRole('button', { name: 'Refunded it' }).click();
  await confirm(page, QUESTION);
}

/** Goes on as another member, as if in that member's browser. */
async function become(page: Page, server: TestServer, type: StaffType, path: string) {
  const user = JSON.stringify({ accessToken: await server.signIn(type) });
  await page.evaluate((user) => localStorage.setItem('user', user), user);
  await page.goto(path);
}

test('a large refund waits until a Manager approves it', async ({ page, server }) => {
  const references = ['WAITS-1', 'WAITS-2', 'WAITS-3'];
  await server.importOrders(references.map(due));
  const mails = (await server.mailsInFolder()).length;
  await refund(page, ...references);
  await expectToast(page, 'status', '3 orders wait for approval by another Admin or Manager');
  await expect(waiting(page)).toContainText('Your refund request waits for approval');
  await expect(row(page, emailOf('WAITS-1'))).toContainText('Due');
  await inspect(page, 'refunds-wait-for-approval');

  await become(page, server, 'Manager', '/admin');
  await expect(waiting(page)).toContainText('1 refund request waits for your decision');
  await inspect(page, 'dashboard-refund-approvals');
  await tabTo(page, waiting(page).getByRole('link'));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`${APPROVALS}$`));
  const request = row(page, STAFF.Team.name);
  await expect(request).toContainText('Waiting');
  await tabTo(page, request.getByRole('button', { name: /^Review/ }));
  await page.keyboard.press('Enter');
  await expect(dialog(page).getByRole('list', { name: 'Orders' }).getByRole('link')).toHaveCount(3);
  expect((await server.mailsInFolder()).length).toBe(mails);
  const approve = dialog(page).getByRole('button', { name: 'Approve and refund' });
  await tabTo(page, approve);
  await page.keyboard.press('Enter');
  await expectToast(page, 'status', '3 orders refunded');
  await expect(dialog(page)).toBeHidden();
  await expect(request).toContainText('Approved');
  await expect.poll(async () => (await server.mailsInFolder()).length).toBe(mails + 3);

  await page.goto(`${REFUNDS}?limit=50`);
  await expect(row(page, emailOf('WAITS-1'))).not.toContainText('Due');
  await expect(waiting(page)).toHaveCount(0);
  await open(page, emailOf('WAITS-1'));
  await expect(page.getByText(/^Refunded/)).toContainText(`approved by ${STAFF.Manager.name}`);
  const timeline = page.getByRole('region', { name: 'Timeline' });
  await expect(timeline).toContainText('Refund requested');
  await expect(timeline).toContainText(`requested by ${STAFF.Team.name}`);
});

test('a declined request says why, and a new one can be withdrawn', async ({ page, server }) => {
  const references = ['BACK-1', 'BACK-2', 'BACK-3'];
  await server.importOrders(references.map(due));
  await refund(page, ...references);
  await expect(waiting(page)).toBeVisible();

  await become(page, server, 'Admin', APPROVALS);
  await row(page, STAFF.Team.name)
    .getByRole('button', { name: /^Review/ })
    .click();
  await dialog(page).getByLabel('Note').fill('These three were delivered last week.');
  await dialog(page).getByRole('button', { name: 'Decline' }).click();
  await expectToast(page, 'status', 'The request was declined. Nothing was refunded');

  await become(page, server, 'Team', APPROVALS);
  await row(page, 'Declined').getByRole('button', { name: /^View/ }).click();
  await expect(dialog(page)).toContainText('These three were delivered last week.');
  await page.keyboard.press('Escape');
  await refund(page, ...references);
  await waiting(page).getByRole('link').click();
  await row(page, 'Waiting').getByRole('button', { name: /^View/ }).click();
  await expect(dialog(page).getByRole('button', { name: 'Decline' })).toHaveCount(0);
  await dialog(page).getByRole('button', { name: 'Withdraw' }).click();
  await expectToast(page, 'status', 'The request was withdrawn. Nothing was refunded');
  await expect(row(page, 'Withdrawn')).toBeVisible();
  await expect(waiting(page)).toHaveCount(0);
});

test('a request that two leaders have open asks before the refund is approved', async ({
  page,
  server,
  colleague,
}) => {
  const references = ['BOTH-1', 'BOTH-2', 'BOTH-3'];
  await server.importOrders(references.map(due));
  await refund(page, ...references);
  await expect(waiting(page)).toBeVisible();
  const [ayu, made] = [await colleague('Admin'), await colleague('Manager')];
  await made.goto(`${REFUNDS}?limit=50`);
  await expect(row(made, emailOf('BOTH-1'))).toBeVisible();
  await ayu.goto(APPROVALS);
  await review(ayu);
  const refunding = `${STAFF.Admin.name} is marking it as refunded`;
  await expect(row(made, emailOf('BOTH-1'))).toContainText(refunding);

  await waiting(made).getByRole('link').click();
  await review(made);
  await made.getByRole('button', { name: 'Approve and refund' }).press('Enter');
  const beside = made.getByRole('dialog', {
    name: `${STAFF.Admin.name} is marking as refunded 3 of these orders`,
  });
  await inspectState(made, 'approval-beside-a-colleague');
  await made.keyboard.press('Escape');
  await expect(beside).toBeHidden();
  await expect(made.getByRole('button', { name: 'Approve and refund' })).toBeFocused();
  await made.keyboard.press('Enter');
  await beside.getByRole('button', { name: 'Continue anyway' }).press('Enter');
  await expectToast(made, 'status', '3 orders refunded');
});

test('the list and a request fit every width, empty and full, with long names', async ({
  page,
  server,
}) => {
  await page.goto(APPROVALS);
  await expect(page.getByText(/No refund waits for approval/)).toBeVisible();
  await inspect(page, 'refund-approvals-empty');

  const long = 'Anastasia-Wilhelmina van der Westhuizen-Montgomery of Yogyakarta';
  const profile = { name: long, email: 'anastasia@desk.example', type: 'Manager' };
  await server.call('Admin', 'POST', 'admin/add-team-member', {
    ...profile,
    password: 'a long test password',
  });
  const references = Array.from({ length: 90 }, (_, index) => `MANY-${index + 100}`);
  await server.importOrders([...references, 'CHANGED-1', 'CHANGED-2'].map(due));
  const login = await page.request.post(`${server.url}/api/admin/admin-login`, {
    data: { email: profile.email, password: 'a long test password' },
  });
  const { jwtToken } = (await login.json()) as { jwtToken: string };
  const list = await page.request.get(
    `${server.url}/api/admin/get-orders-list/refundOrder?limit=200`,
    { headers: { Authorization: jwtToken } },
  );
  const { data } = (await list.json()) as {
    data: { order_id: number; contact_email_address: string }[];
  };
  const idOf = (name: string) =>
    data.filter((order) => order.contact_email_address.startsWith(name)).map((one) => one.order_id);
  const changed = idOf('changed-');
  for (const orderId of [[...idOf('many-').slice(0, 60), ...changed], idOf('many-').slice(60)]) {
    const answer = await page.request.put(`${server.url}/api/admin/move-to-complete-refund`, {
      headers: { Authorization: jwtToken },
      data: { orderId },
    });
    expect(answer.status()).toBe(202);
  }
  await server.call('Admin', 'PUT', 'admin/move-order-status', {
    orderId: changed,
    updatingStatus: 'New',
  });
  await become(page, server, 'Admin', APPROVALS);
  await expect(row(page, long)).toHaveCount(2);
  await inspect(page, 'refund-approvals');
  await row(page, long)
    .first()
    .getByRole('button', { name: /^Review/ })
    .click();
  await expect(dialog(page).getByRole('alert')).toContainText('refunded or left Refunds since');
  await inspect(page, 'refund-request-changed');
  await page.keyboard.press('Escape');
  await row(page, long)
    .last()
    .getByRole('button', { name: /^Review/ })
    .click();
  await inspect(page, 'refund-request');
});
