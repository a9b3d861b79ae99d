/** Five members of all types work at one list and one order, and each sees what the others do. */

import type { Locator, Page } from '@playwright/test';

import { test } from '../support/colleague.ts';
import { confirm, row, select } from '../support/staffActions.ts';
import { STAFF } from '../support/staff.ts';
import { expect } from '../support/test.ts';
import { encoded } from '../support/visitor.ts';
import { inspectState } from '../support/visualChecks.ts';

test.use({ as: 'Team' });

/** The server sends each change within a second; the longer limit is for a busy machine. */
const SOON = { timeout: 10_000 };
const SHARED = {
  external_reference: 'SHARED-1',
  full_name: 'Wilhelmina Aurelia Okonkwo-Oyarzábal',
};

const news = (desk: Page): Locator => desk.getByRole('button', { name: '1 new order, show' });
const filedBy = (desk: Page, member: { name: string }): Locator =>
  desk
    .getByRole('alert', { name: 'Filed by a colleague' })
    .filter({ hasText: `${member.name} is filing` });
const owner = (desk: Page, member: { name: string }): Locator =>
  desk.getByText(`Assigned to ${member.name}`);

test('five members at one list and one order see each change of the others', async ({
  page: budi,
  server,
  colleague,
}) => {
  const others: Page[] = [];
  for (const type of ['Admin', 'Manager', 'Telecaller', 'Night Staff'] as const)
    others.push(await colleague(type));
  const [ayu, made, citra, nyoman] = others as [Page, Page, Page, Page];
  const all = [budi, ...others];
  const times: string[] = [];
  /** Waits until each of these desks shows a change, and notes after how long the last one did. */
  const seen = async (what: string, desks: readonly Page[], shows: (desk: Page) => Locator) => {
    const start = Date.now();
    await Promise.all(desks.map((desk) => expect(shows(desk), what).toBeVisible(SOON)));
    times.push(`${what}: ${Date.now() - start} ms`);
  };
  const goTo = (path: string) => Promise.all(all.map((desk) => desk.goto(path)));

  await goTo('/admin/recent-order');
  for (const desk of all) await expect(row(desk, 'View').first()).toBeVisible();
  await server.importOrders([SHARED]);
  await seen('a new order', all, news);
  await Promise.all(all.map((desk) => news(desk).click()));
  await select(budi, SHARED.full_name);
  await budi.getByRole('button', { name: 'Assign to me' }).click();
  await confirm(budi, 'Are you sure want to assigned orders.');
  await seen('a take', others, (desk) =>
    row(desk, SHARED.full_name).filter({ hasText: 'No longer in this list' }),
  );

  const { orderId } = await server.findOrder('allOrder', 'shared-1@');
  // A New order of another member is in no folder of a Telecaller.
  await server.call('Team', 'PUT', 'admin/move-order-status', {
    orderId: [orderId],
    updatingStatus: 'Awaiting',
  });
  const path = `/admin/view-order/${encodeURIComponent(encoded(orderId))}`;
  await goTo(path);
  for (const desk of all) {
    const here = desk.getByRole('list', { name: 'Colleagues at this order' });
    await expect(here.getByRole('listitem')).toHaveCount(4);
  }
  await inspectState(made, 'four-colleagues-at-an-order');

  await citra.getByRole('textbox', { name: 'Add Comment Below' }).fill('Called, she lands today');
  await citra.getByRole('button', { name: 'Save Comment' }).click();
  await seen('a comment', all, (desk) =>
    desk.getByRole('region', { name: 'Newest comment' }).filter({ hasText: 'she lands today' }),
  );

  await budi.keyboard.press('m');
  await budi
    .getByRole('dialog')
    .getByRole('button', { name: /^Hand over/ })
    .click();
  const question = budi.getByRole('dialog', { name: `Hand over order ${orderId}` });
  await question.getByLabel('Colleague').selectOption(STAFF['Night Staff'].name);
  await question.getByRole('button', { name: 'Hand over' }).click();
  await seen('a hand-over', all, (desk) => owner(desk, STAFF['Night Staff']));
  await expect(nyoman.getByRole('button', { name: 'Inbox, 1 unread' })).toBeVisible(SOON);

  await made.keyboard.press('f');
  await expect(made.getByLabel('Application number')).toBeVisible();
  for (const desk of [ayu, budi]) await desk.keyboard.press('f');
  await seen('a claim', [ayu, budi], (desk) => filedBy(desk, STAFF.Manager));
  await ayu.getByRole('button', { name: 'Take over' }).click();
  await ayu.getByRole('dialog').getByLabel('Reason').fill('Made was called to the counter');
  await ayu.getByRole('dialog').getByRole('button', { name: 'Take over' }).click();
  await seen('a claim taken over', [made, budi], (desk) => filedBy(desk, STAFF.Admin));

  await nyoman.keyboard.press('m');
  await nyoman.getByRole('dialog').getByRole('button', { name: 'Awaiting Govt' }).click();
  await seen('a move', all, (desk) =>
    desk.getByRole('main').locator('header').getByText('Awaiting Govt', { exact: true }),
  );
  test.info().annotations.push({ type: 'seen after', description: times.join(', ') });
});
