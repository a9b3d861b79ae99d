/** What moves on the staff screens, and that nothing does for people who asked for less motion. */

import { type Page, expect } from '@playwright/test';

import { test } from '../support/test.ts';

/** The longest that anything may take that is not to be seen moving. */
const UNSEEN_S = 0.001;
/** A toast stays long enough to be read, and to undo what it reports. */
const READABLE_MS = 3_000;

test.use({ as: 'Team' });

/** The longest animation or transition of the elements on the screen but a toast's timer, in seconds. */
const longestMotion = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const moving = [...document.querySelectorAll('body *:not(.Toastify__progress-bar)')];
    const seconds = moving.flatMap((element) =>
      [undefined, '::before', '::after'].flatMap((pseudo) => {
        const { animationDuration, transitionDuration } = getComputedStyle(element, pseudo);
        return [animationDuration, transitionDuration].flatMap((list) =>
          list.split(',').map((one) => Number.parseFloat(one)),
        );
      }),
    );
    return Math.max(...seconds.filter(Number.isFinite));
  });

for (const [reducedMotion, what] of [
  ['no-preference', 'the screens move'],
  ['reduce', 'for those who asked for less motion nothing moves'],
] as const) {
  test(`${what}, and a toast can be read`, async ({ page, server }) => {
    await server.importOrders([{ external_reference: 'MOTION-1' }]);
    await page.emulateMedia({ reducedMotion });
    await page.route('**/api/admin/get-orders-list/priorityOrder*', () => undefined);
    await page.goto('/admin/recent-order');
    await page.getByRole('row').filter({ hasText: 'MOTION-1' }).getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Assign to me' }).click();
    await page.getByRole('button', { name: 'Yes, assign' }).click();
    const toast = page.locator('.Toastify__toast').filter({ hasText: 'Order has been assigned' });
    await expect(toast).toBeVisible();
    // Its rows never arrive: those that wait in their place breathe.
    await page.getByRole('link', { name: /^Priority Orders/ }).click();
    await expect(page.locator('[class*="_skeleton_"]').first()).toBeVisible();
    if (reducedMotion === 'reduce') expect(await longestMotion(page)).toBeLessThan(UNSEEN_S);
    else expect(await longestMotion(page)).toBeGreaterThan(UNSEEN_S);
    const timer = toast.locator('.Toastify__progress-bar--animated');
    const [time] = await timer.evaluate((bar) =>
      bar.getAnimations().map((it) => Number(it.effect?.getComputedTiming().activeDuration)),
    );
    expect(time).toBeGreaterThan(READABLE_MS);
    await timer.evaluate((bar) => bar.getAnimations().forEach((it) => it.finish()));
    await expect(toast).toHaveCount(0);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });
}
