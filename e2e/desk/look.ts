/** How a screen must look: pictures at three widths, no accessibility fault, nothing that jumps. */

import { copyFile, mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

import { AxeBuilder } from '@axe-core/playwright';
import { type Locator, type Page, expect, test } from '@playwright/test';

const WIDTHS = [1440, 900, 390];
const HEIGHT = 900;
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const LAYOUT_SHIFT_LIMIT = 0.02;
/** Axe is a script: it cannot run where none may. */
const SANDBOXED = 'iframe[sandbox]';

/** Inspects the screen as it stands, in the light and the dark colours and at every width; pictures show `part` of it. */
export async function inspect(page: Page, name: string, part?: Locator): Promise<void> {
  await expectNoLayoutShift(page);
  await takePictures(page, name, part);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page, colorScheme);
  }
  await page.emulateMedia({ colorScheme: null });
}

/** Fails on any violation of WCAG 2.2 AA that axe can see. */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .exclude(SANDBOXED)
    .withTags(RULES)
    .analyze();
  const faults = violations.map(({ id, help, nodes }) => ({
    id,
    help,
    where: nodes.map(
      ({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary ?? ''}`,
    ),
  }));
  expect(faults, `accessibility, ${what}`).toEqual([]);
}

/**
 * Takes `{name}-{width}.png`. They lie in `test-results/screens`; with `VISADESK_SCREENS` set they also become the
 * repository's pictures, so that an ordinary run leaves the work tree as it was.
 */
export async function takePictures(page: Page, name: string, part?: Locator): Promise<void> {
  // Where the pointer was left, something would look hovered.
  await page.mouse.move(0, 0);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT });
    await page.evaluate(() => document.fonts.ready);
    await part?.evaluate((element) => element.scrollIntoView({ block: 'center' }));
    const file = `${name}-${width}.png`;
    const path = resolve(import.meta.dirname, '../test-results/screens', file);
    await page.screenshot({ path, animations: 'disabled', caret: 'hide' });
    await test.info().attach(file, { path, contentType: 'image/png' });
    if (process.env['VISADESK_SCREENS'] !== undefined) {
      const kept = resolve(import.meta.dirname, '../../docs/screens', file);
      await mkdir(dirname(kept), { recursive: true });
      await copyFile(path, kept);
    }
  }
  await page.setViewportSize({ width: WIDTHS[0]!, height: HEIGHT });
}

/** Fails if what was on the screen moved by itself since the document was loaded. */
async function expectNoLayoutShift(page: Page): Promise<void> {
  const shift = await page.evaluate(
    () =>
      new Promise<number>((done) => {
        let sum = 0;
        const add = (entries: PerformanceEntryList) => {
          for (const entry of entries as (PerformanceEntry & {
            value: number;
            hadRecentInput: boolean;
          })[]) {
            sum += entry.hadRecentInput ? 0 : entry.value;
          }
        };
        const observer = new PerformanceObserver((list) => add(list.getEntries()));
        observer.observe({ type: 'layout-shift', buffered: true });
        setTimeout(() => {
          add(observer.takeRecords());
          observer.disconnect();
          done(sum);
        }, 100);
      }),
  );
  expect(shift, 'layout shift').toBeLessThanOrEqual(LAYOUT_SHIFT_LIMIT);
}
