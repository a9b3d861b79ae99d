/** Visual checks of a screen at three widths: layout, accessibility, layout shift; and its pictures. */

import { resolve } from 'node:path';

import { AxeBuilder } from '@axe-core/playwright';
import { type Locator, type Page, expect, test } from '@playwright/test';

import { expectSoundLayout } from './layoutChecks.ts';

const WIDTHS = [1440, 900, 390];
const HEIGHT = 900;
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** The rules of these that look at colours. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];
const LAYOUT_SHIFT_LIMIT = 0.02;
/** Axe cannot run in frames that allow no scripts. */
const SANDBOXED = 'iframe[sandbox]';

/** Checks a screen that was just opened, in light and dark and at every width; pictures show `part` of it. */
export async function inspect(page: Page, name: string, part?: Locator): Promise<void> {
  await expectNoLayoutShift(page);
  await expectOneTitle(page);
  await inspectState(page, name, part);
}

/** Checks a state that a screen reached by clicks, in light and dark and at every width. */
export async function inspectState(page: Page, name: string, part?: Locator): Promise<void> {
  await takePictures(page, name, part, async (width) => {
    // A control that is half behind a bar which stays in view would count as too small.
    await page.evaluate(() => window.scrollTo(0, 0));
    await expectAccessibleInBothSchemes(page, `${name} at ${width} px`);
  });
}

/**
 * Checks the layout at every width, and saves `{name}-{width}.png` in `test-results/screens`. `pictures.spec.ts` draws those of the
 * repository.
 */
export async function takePictures(
  page: Page,
  name: string,
  part?: Locator,
  check?: (width: number) => Promise<void>,
): Promise<void> {
  // The element below the pointer would look hovered.
  await page.mouse.move(0, 0);
  await endToasts(page);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT });
    await page.evaluate(() => document.fonts.ready);
    await expectSoundLayout(page);
    await part?.evaluate((element) => element.scrollIntoView({ block: 'center' }));
    const file = `${name}-${width}.png`;
    const path = resolve(import.meta.dirname, '../test-results/screens', file);
    await page.screenshot({ path, animations: 'disabled', caret: 'hide' });
    await test.info().attach(file, { path, contentType: 'image/png' });
    await check?.(width);
  }
  await page.setViewportSize({ width: WIDTHS[0]!, height: HEIGHT });
}

/** Fails unless the page has exactly one level-1 heading, by which a screen reader tells which page it is. */
async function expectOneTitle(page: Page): Promise<void> {
  const titles = page.getByRole('heading', { level: 1, includeHidden: true });
  await expect(titles, 'headings of the first level').toHaveCount(1);
}

/** Fails on any violation of WCAG 2.2 AA that axe detects at the current width, in light or dark. */
export async function expectAccessibleInBothSchemes(page: Page, what: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  await expectAccessible(page, `${what}, light`);
  await page.emulateMedia({ colorScheme: 'dark' });
  // The schemes differ in colours alone, and all rules take three times as long.
  await expectNoViolation(new AxeBuilder({ page }).withRules(COLOR_RULES), `${what}, dark`);
  await page.emulateMedia({ colorScheme: null });
}

/** Fails on any violation of WCAG 2.2 AA that axe detects now. */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  await expectNoViolation(new AxeBuilder({ page }).withTags(TAGS), what);
}

async function expectNoViolation(axe: AxeBuilder, what: string): Promise<void> {
  // Without the legacy mode each result is put together in a tab of its own, which takes as long again.
  const { violations } = await axe.exclude(SANDBOXED).setLegacyMode().analyze();
  const faults = violations.map(({ id, help, nodes }) => ({
    id,
    help,
    where: nodes.map(
      ({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary ?? ''}`,
    ),
  }));
  expect.soft(faults, `accessibility, ${what}`).toEqual([]);
}

/** Closes the toasts. Otherwise the first picture, which skips animations, would end their time in the middle of the checks. */
async function endToasts(page: Page): Promise<void> {
  await page
    .locator('.Toastify__progress-bar')
    .evaluateAll((bars) => bars.forEach((bar) => bar.getAnimations().forEach((it) => it.finish())));
  await expect(page.locator('.Toastify__toast')).toHaveCount(0);
}

/** Fails if the content of the screen moved by itself since the document was loaded. */
export async function expectNoLayoutShift(page: Page): Promise<void> {
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
