/** Two members file the same order at the same moment, and both fees are paid. */

import { test } from '../support/colleague.ts';
import { expectToast } from '../support/staffActions.ts';
import { expect } from '../support/test.ts';
import { encoded } from '../support/visitor.ts';
import { expectNoLayoutShift, inspectState } from '../support/visualChecks.ts';

test.use({ as: 'Team' });

test('the application that came second is recorded beside the first, and each is refused by itself', async ({
  page,
  server,
  colleague,
}) => {
  const number = 'EV-2026-0071-OF-THE-FIRST-MEMBER-0001';
  await server.importOrders([
    {
      external_reference: 'SECOND-1',
      full_name: 'Maria Fernanda de los Ángeles Villavicencio-Oyarzábal',
    },
  ]);
  const { orderId } = await server.findOrder('newOrder', 'second-1@');
  const path = `/admin/view-order/${encodeURIComponent(encoded(orderId))}`;
  const other = await colleague('Manager');
  await page.goto(`${path}?view=filing`);
  await expect(page.getByLabel('Application number')).toBeVisible();
  await other.goto(path);
  await expect(other.getByRole('textbox', { name: 'Add Comment Below' })).toBeVisible();
  await other.keyboard.press('f');
  const claimed = other.getByRole('alert', { name: 'Filed by a colleague' });
  await expect(claimed).toContainText(`is filing order ${orderId}`);
  await inspectState(other, 'claimed-by-a-colleague');
  // The keyboard comes to it first.
  await other.keyboard.press('Tab');
  await expect(claimed.getByRole('button', { name: 'Take over' })).toBeFocused();
  await other.keyboard.press('Enter');
  await expect(other.getByRole('dialog').getByLabel('Reason')).toBeFocused();
  await other.keyboard.type('They were called to the counter');
  await inspectState(other, 'take-over');
  await other.keyboard.press('Control+Enter');
  await expect(claimed).toBeHidden();
  await other.keyboard.press('n');
  await expect(other.getByLabel('Application number')).toBeFocused();
  // The first member sees it immediately.
  await expect(page.getByRole('alert', { name: 'Filed by a colleague' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Inbox, 1 unread' })).toBeVisible();

  await page.getByLabel('Application number').fill('EV-2026-0099');
  await page.getByLabel('Fee paid').fill('1500000');
  await other.getByLabel('Application number').fill(number);
  await other.getByLabel('Fee paid').fill('1500000');
  await other.getByRole('button', { name: 'Mark as filed' }).click();
  await expectToast(other, 'status', `has been filed as application ${number}`);

  const record = page.getByRole('button', { name: 'Record as a second application' });
  await expect(record).toBeVisible();
  await expect(page.getByLabel('Application number', { exact: true })).toHaveValue('EV-2026-0099');
  await expect(page.getByRole('region', { name: 'Open warnings' })).toContainText(
    'when this order was filed',
  );
  await expectNoLayoutShift(page);
  await inspectState(page, 'filed-by-a-colleague');
  await record.focus();
  await page.keyboard.press('Enter');
  await expectToast(page, 'status', `has been recorded beside ${number}`);
  await expect(page.getByText('IDR 3,000,000.00')).toBeVisible();
  await inspectState(page, 'two-applications');

  await page.getByRole('button', { name: 'Record refusal' }).first().click();
  await page.getByLabel('Reason of the portal').fill('The photograph is blurred');
  await inspectState(page, 'one-of-two-applications-refused');
  await page.getByRole('button', { name: 'Keep in Awaiting Govt' }).click();
  await expectToast(page, 'status', 'stays in Awaiting Govt');
  await expect(page.getByText('refused, to be filed again')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Record refusal' })).toBeVisible();
});
