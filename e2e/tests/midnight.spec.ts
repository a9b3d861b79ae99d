/** A tab that is left open over midnight of the agency. */

import { agencyDay } from '../support/orders.ts';
import { expect, readingTest, test } from '../support/test.ts';

test.use({ as: 'Admin' });

/** Half a minute before the end of the agency's day, in the year after this one. */
const YEAR = Number(agencyDay(0).slice(0, 4)) + 1;
const BEFORE_MIDNIGHT = new Date(`${YEAR}-12-31T23:59:30+07:00`);

const DAY_MS = 86_400_000;

test.beforeEach(async ({ page }) => {
  await page.clock.install({ time: BEFORE_MIDNIGHT });
});

readingTest('the dashboard shows the new day', async ({ page }) => {
  await page.goto('/admin');
  const day = page.getByRole('main').getByRole('time');
  await expect(day).toContainText(`31-12-${YEAR}`);
  await page.clock.fastForward('02:00');
  await expect(day).toContainText(`01-01-${YEAR + 1}`);
});

readingTest('Future Order turns to the new year', async ({ page }) => {
  await page.goto('/admin/future-order');
  await expect(page.getByText(String(YEAR), { exact: true })).toBeVisible();
  await page.clock.fastForward('02:00');
  await expect(page.getByText(String(YEAR + 1), { exact: true })).toBeVisible();
});

readingTest('the tooltip of a time follows the clock', async ({ page }) => {
  await page.goto('/admin/audit');
  const time = page.getByRole('row').nth(1).getByRole('time');
  const before = (await time.getAttribute('title'))!;
  await page.clock.fastForward(1_000 * DAY_MS);
  await page.mouse.move(0, 0);
  await time.hover();
  await expect(time).toHaveAttribute('title', /^\d years ago/);
  expect(before).not.toMatch(/^\d years ago/);
});
