/** A member works through orders with the key that takes the next one. */

import { expectToast, undoChange } from '../support/staffActions.ts';
import { expect, test } from '../support/test.ts';
import { inspect, inspectState } from '../support/visualChecks.ts';

test.use({ as: 'Team' });

test('a member takes an order, finishes it and takes the next one, by keys alone', async ({
  page,
}) => {
  const heading = page.getByRole('heading', { level: 1, name: /^Order \d+$/ });
  const takeNext = page.getByRole('button', { name: 'Take next' });
  await page.goto('/admin');
  await expect(takeNext).toBeVisible();
  await inspect(page, 'home-take-next');
  await page.keyboard.press('t');
  const taken = /^Order \d+ is yours: it /;
  await expectToast(page, 'status', taken);
  await expect(heading).toBeVisible();
  const first = await heading.innerText();
  await expect(page.getByText(/^Assigned to/)).toBeVisible();
  await expect(takeNext).not.toHaveAttribute('data-kind', 'primary');

  await page.keyboard.press('m');
  await page.getByRole('dialog').getByRole('button', { name: 'Awaiting Govt' }).press('Enter');
  await expectToast(page, 'status', 'Order has been moved to Awaiting Govt successfully');
  await expect(takeNext).toHaveAttribute('data-kind', 'primary');
  await inspectState(page, 'order-done-and-next');

  await page.keyboard.press('t');
  await expect(heading).not.toHaveText(first);
  await undoChange(page, `${await heading.innerText()} is yours`);
  await expect(page.getByText('Unassigned')).toBeVisible();
});
