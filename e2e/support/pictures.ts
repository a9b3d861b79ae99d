/** Pictures of screens: compared with `docs/screens`, or drawn there and, in more widths, into a folder. */

import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { type Browser, type Locator, type Page, expect } from '@playwright/test';
import sharp from 'sharp';

import { fixedTime, MOMENT } from './fixedTime.ts';
import { expectSoundLayout } from './layoutChecks.ts';
import { loadedRows } from './staffActions.ts';
import { seededPlace } from './template.ts';
import { test as base } from './test.ts';
import { TestServer } from './testServer.ts';

const SEEDED_ORDERS = 200;
const HEIGHT = 900;
const DRAWN = resolve(import.meta.dirname, '../../docs/screens');
const CHROMIUM_VERSION = resolve(DRAWN, 'chromium.txt');

/** The folder for pictures at all widths. When it is set, the pictures of the repository are drawn anew, too. */
const allWidths = process.env['VISADESK_PICTURES'];

interface Look {
  width: number;
  colorScheme: 'light' | 'dark';
}

/** The looks that the repository has a picture of. */
const KEPT: readonly Look[] = [
  { width: 1440, colorScheme: 'light' },
  { width: 1440, colorScheme: 'dark' },
  { width: 390, colorScheme: 'light' },
];

const OTHERS: readonly Look[] = [
  { width: 390, colorScheme: 'dark' },
  ...[1280, 1152, 1024, 900, 820, 768, 360].flatMap((width) => [
    { width, colorScheme: 'light' as const },
    { width, colorScheme: 'dark' as const },
  ]),
];

const fileOf = (name: string, { width, colorScheme }: Look): string =>
  `${name}-${width}${colorScheme === 'dark' ? '-dark' : ''}.png`;

/** Gives the picture a palette, which makes it a third of the size. */
async function shrink(path: string): Promise<void> {
  const palette = { palette: true, colours: 256, dither: 0, effort: 10, compressionLevel: 9 };
  writeFileSync(path, await sharp(readFileSync(path)).removeAlpha().png(palette).toBuffer());
}

const majorOf = (version: string): string => version.split('.')[0]!.trim();

/** Whether this browser draws as the one that drew the pictures, for a server at the same moment. */
function isComparable(browser: Browser): boolean {
  const drawnBy = readFileSync(CHROMIUM_VERSION, 'utf8');
  return fixedTime() !== undefined && majorOf(drawnBy) === majorOf(browser.version());
}

export class Pictures {
  private constructor(
    private readonly page: Page,
    private readonly mode: 'draw' | 'compare' | 'check layout',
  ) {}

  /** Starts to draw or compare; without the browser or the time of the pictures, the layout is checked instead. */
  static async open(page: Page): Promise<Pictures> {
    const browser = page.context().browser()!;
    if (fixedTime() !== undefined) await page.clock.setFixedTime(MOMENT);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    if (allWidths !== undefined) {
      if (fixedTime() === undefined) throw new Error('pictures need Debian’s libfaketime');
      writeFileSync(CHROMIUM_VERSION, `${majorOf(browser.version())}\n`);
      return new Pictures(page, 'draw');
    }
    return new Pictures(page, isComparable(browser) ? 'compare' : 'check layout');
  }

  /** Takes the screen in all looks; what is in `random` differs each time and is covered. */
  async take(name: string, random: Locator[] = []): Promise<void> {
    const { page, mode } = this;
    for (const look of KEPT) {
      await this.show(look);
      await expect.soft(page.locator('h1, main strong').first(), `heading, ${name}`).toBeVisible();
      const file = fileOf(name, look);
      if (mode === 'check layout') await expectSoundLayout(page);
      else await expect.soft(page).toHaveScreenshot(file, { mask: random });
      if (mode === 'draw') await shrink(resolve(DRAWN, file));
    }
    for (const look of mode === 'draw' ? OTHERS : []) {
      await this.show(look);
      const path = resolve(allWidths!, fileOf(name, look));
      await page.screenshot({ path, mask: random, animations: 'disabled', caret: 'hide' });
    }
    await this.show(KEPT[0]!);
  }

  /** Draws a state of a screen as it stands, light and dark, to be looked at. */
  async draw(name: string): Promise<void> {
    const { page } = this;
    const { width } = page.viewportSize()!;
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const path = resolve(allWidths!, fileOf(`state-${name}`, { width, colorScheme }));
      // Animations that are brought to their end would close a toast.
      await page.screenshot({ path, caret: 'hide' });
    }
    await page.emulateMedia({ colorScheme: 'light' });
  }

  private async show({ width, colorScheme }: Look): Promise<void> {
    const { page } = this;
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: HEIGHT });
    // On a busy machine the page has its new size only later.
    await page.waitForFunction((width) => innerWidth === width, width);
    await page.evaluate(async () => {
      window.scrollTo(0, 0);
      await document.fonts.ready;
    });
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
    await page.waitForFunction(() => [...document.images].every(({ complete }) => complete));
  }
}

/** Playwright's `test` with a server that stands at one moment, with the same orders each time. */
export const test = base.extend({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern what a fixture needs: here nothing
  server: async ({}, use) => {
    const place = await seededPlace(SEEDED_ORDERS, fixedTime() ?? {});
    const server = await TestServer.openAt(place);
    await use(server);
    await server.close();
  },
});

/** Opens a list and waits for its orders. */
export async function openList(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(loadedRows(page).first()).toBeVisible();
}

/** Opens the first order of a list and waits for its document, if it has one. */
export async function openFirst(page: Page, path: string): Promise<void> {
  await openList(page, path);
  await loadedRows(page).first().getByRole('link', { name: /^View/ }).click();
  await expect(page.getByRole('region', { name: 'Actions' })).toBeVisible();
  const viewer = page.getByRole('region', { name: 'Documents' });
  await expect(viewer.locator('img, [data-empty]')).toBeVisible();
}
