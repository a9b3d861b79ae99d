/** Visual checks of a screen at three widths: layout, accessibility, layout shift. `pictures.spec.ts` compares pictures. */

import { resolve } from 'node:path';

import { type Locator, type Page, expect, test } from '@playwright/test';
import type { RunOnly } from 'axe-core';

import { violationsOf } from './axe.ts';
import { isLong } from './forms.ts';
import { expectSoundLayout } from './layoutChecks.ts';

const WIDTHS = [1440, 900, 390] as const;
const HEIGHT = 900;
/** The widths at which all rules of accessibility are checked, in light. */
const AXE_WIDTHS: readonly number[] = isLong ? WIDTHS : [1440, 390];
/** The widths at which the colours of the dark scheme are checked. They are the same at every width. */
const DARK_WIDTHS: readonly number[] = isLong ? WIDTHS : [1440];
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** The rules of these that look at colours. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];
const LAYOUT_SHIFT_LIMIT = 0.02;
/** With this variable every screen is saved at every width, to be looked at; otherwise only those with a fault. */
const isLooking = process.env['VISADESK_LOOK'] !== undefined;

/** Checks a screen that was just opened, in light and dark and at every width; a screenshot shows `part` of it. */
export async function inspect(page: Page, name: string, part?: Locator): Promise<void> {
  await expectNoLayoutShift(page);
  await expectOneTitle(page);
  await inspectState(page, name, part);
}

/** Checks a state that a screen reached by clicks, in light and dark and at every width. */
export async function inspectState(page: Page, name: string, part?: Locator): Promise<void> {
  await expectToFit(page, name, part, async (width) => {
    // A control that is half behind a bar which stays in view would count as too small.
    await page.evaluate(() => window.scrollTo(0, 0));
    const what = `${name} at ${width} px`;
    if (AXE_WIDTHS.includes(width)) await expectAccessible(page, `${what}, light`);
    if (DARK_WIDTHS.includes(width)) await expectReadableInDark(page, `${what}, dark`);
  });
}

/**
 * Checks the layout at every width. A screen with a fault is saved as `{name}-{width}.png` in `test-results/screens`, with `part`
 * of it in view.
 */
export async function expectToFit(
  page: Page,
  name: string,
  part?: Locator,
  check?: (width: number) => Promise<void>,
): Promise<void> {
  // The element below the pointer would look hovered.
  await page.mouse.move(0, 0);
  await endToasts(page);
  for (const width of WIDTHS) {
    const faults = test.info().errors.length;
    await page.setViewportSize({ width, height: HEIGHT });
    await page.evaluate(() => document.fonts.ready);
    await nextFrame(page);
    await endAnimations(page);
    await expectSoundLayout(page);
    await check?.(width);
    if (isLooking || test.info().errors.length > faults) {
      await savePicture(page, `${name}-${width}.png`, part);
    }
  }
  await page.setViewportSize({ width: WIDTHS[0], height: HEIGHT });
}

async function savePicture(page: Page, file: string, part?: Locator): Promise<void> {
  await part?.evaluate((element) => element.scrollIntoView({ block: 'center' }));
  const path = resolve(import.meta.dirname, '../test-results/screens', file);
  await page.screenshot({ path, animations: 'disabled', caret: 'hide' });
  await test.info().attach(file, { path, contentType: 'image/png' });
}

/** Waits until the app has followed the new width: the style sheets are ahead of what it renders for a width. */
async function nextFrame(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))),
  );
}

/** Brings running animations to their end: colours that still change have another contrast. */
async function endAnimations(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) {
      const { endTime } = animation.effect?.getComputedTiming() ?? {};
      if (Number.isFinite(endTime)) animation.finish();
    }
  });
}

/** Fails unless the page has exactly one level-1 heading, by which a screen reader tells which page it is. */
async function expectOneTitle(page: Page): Promise<void> {
  const titles = page.getByRole('heading', { level: 1, includeHidden: true });
  await expect(titles, 'headings of the first level').toHaveCount(1);
}

/** Fails on any violation of WCAG 2.2 AA that axe detects at the current width, in light or dark. */
export async function expectAccessibleInBothSchemes(page: Page, what: string): Promise<void> {
  await expectAccessible(page, `${what}, light`);
  await expectReadableInDark(page, `${what}, dark`);
}

/** Fails on a colour of the dark scheme that is hard to read. The schemes differ in colours alone. */
export async function expectReadableInDark(page: Page, what: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectNoViolation(page, { type: 'rule', values: COLOR_RULES }, what);
  await page.emulateMedia({ colorScheme: null });
}

/** Fails on any violation of WCAG 2.2 AA that axe detects now. */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  await expectNoViolation(page, { type: 'tag', values: TAGS }, what);
}

async function expectNoViolation(page: Page, rules: RunOnly, what: string): Promise<void> {
  expect.soft(await violationsOf(page, rules), `accessibility, ${what}`).toEqual([]);
}

/** Closes the toasts. Otherwise they would close when animations are brought to their end, in the middle of the checks. */
async function endToasts(page: Page): Promise<void> {
  await page
    .locator('.Toastify__progress-bar')
    .evaluateAll((bars) => bars.forEach((bar) => bar.getAnimations().forEach((it) => it.finish())));
  await expect(page.locator('.Toastify__toast')).toHaveCount(0);
}

/** A movement that the visitor did not cause. TypeScript does not know it, because only Chromium reports it. */
interface LayoutShift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
  sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
}

/** Fails if the content of the screen moved by itself since the document was loaded, and tells what moved. */
export async function expectNoLayoutShift(page: Page): Promise<void> {
  const { shift, moved } = await page.evaluate(
    () =>
      new Promise<{ shift: number; moved: string[] }>((done) => {
        let shift = 0;
        const moved: string[] = [];
        const add = (entries: PerformanceEntryList) => {
          for (const entry of entries as LayoutShift[]) {
            if (entry.hadRecentInput) continue;
            shift += entry.value;
            const what = entry.sources.map(({ node, previousRect, currentRect }) => {
              const text = node?.textContent?.trim().slice(0, 40) ?? '';
              return `${node?.nodeName} “${text}” from ${previousRect.y} to ${currentRect.y}`;
            });
            moved.push(
              `${entry.value.toFixed(4)} at ${Math.round(entry.startTime)} ms: ${what.join('; ')}`,
            );
          }
        };
        const observer = new PerformanceObserver((list) => add(list.getEntries()));
        observer.observe({ type: 'layout-shift', buffered: true });
        setTimeout(() => {
          add(observer.takeRecords());
          observer.disconnect();
          done({ shift, moved });
        }, 100);
      }),
  );
  expect(shift, ['layout shift', ...moved].join('\n')).toBeLessThanOrEqual(LAYOUT_SHIFT_LIMIT);
}
