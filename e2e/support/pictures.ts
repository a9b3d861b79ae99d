/** Pictures of screens: compared with `docs/screens`, or drawn there and, in more widths, into a folder. */

import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import { type Page, expect, test as playwright } from '@playwright/test';
import sharp from 'sharp';

import { fixedTime, MOMENT } from './fixedTime.ts';
import { isLong } from './forms.ts';
import { expectLoaded, expectSoundLayout } from './layoutChecks.ts';
import { type Difference, differencesOf, markedWith, Picture } from './pictureDiff.ts';
import { faultsOf } from './pictureFaults.ts';
import { loadedRows } from './staffActions.ts';
import { copyPictured } from './template.ts';
import { test as base } from './test.ts';
import { TestServer } from './testServer.ts';

const HEIGHT = 900;
const DRAWN = resolve(import.meta.dirname, '../../docs/screens');
/** How long a screen may take to look as its picture. */
const SETTLED_MS = 15_000;
const DIFFERENCES_SHOWN = 5;
/** Without what moves. */
const STILL = { animations: 'disabled', caret: 'hide', scale: 'css' } as const;

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
function shrunk(picture: Buffer): Promise<Buffer> {
  const palette = { palette: true, colours: 256, dither: 0, effort: 10, compressionLevel: 9 };
  return sharp(picture).removeAlpha().png(palette).toBuffer();
}

const wordsOf = ({ x, y, distance, tolerance }: Difference): string =>
  `at ${x},${y}: ${distance.toFixed(1)}, may be ${tolerance.toFixed(1)}`;

async function attach(name: string, picture: Buffer): Promise<void> {
  const path = playwright.info().outputPath(name);
  await writeFile(path, picture);
  await playwright.info().attach(name, { path, contentType: 'image/png' });
}

export class Pictures {
  private taken = 0;

  private constructor(
    private readonly page: Page,
    private readonly mode: 'draw' | 'compare' | 'check layout',
  ) {}

  /** Starts to draw or compare; without the time of the pictures, the layout is checked instead. */
  static async open(page: Page): Promise<Pictures> {
    const isComparable = fixedTime() !== undefined;
    if (isComparable) await page.clock.setFixedTime(MOMENT);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    if (allWidths === undefined)
      return new Pictures(page, isComparable ? 'compare' : 'check layout');
    if (!isComparable) throw new Error('pictures need libfaketime');
    return new Pictures(page, 'draw');
  }

  /** Takes the screen in all looks. */
  async take(name: string): Promise<void> {
    const { page, mode } = this;
    for (const look of KEPT) {
      await this.show(look);
      await expect.soft(page.locator('h1, main strong').first(), `heading, ${name}`).toBeVisible();
      if (mode === 'check layout') await expectSoundLayout(page);
      if (mode === 'compare') await this.compare(fileOf(name, look));
      if (mode === 'draw') {
        await writeFile(resolve(DRAWN, fileOf(name, look)), await shrunk(await this.settled()));
      }
    }
    for (const look of mode === 'draw' ? OTHERS : []) {
      await this.show(look);
      await page.screenshot({ path: resolve(allWidths!, fileOf(name, look)), ...STILL });
    }
    await this.show(KEPT[0]!);
  }

  private async compare(file: string): Promise<void> {
    const expected = await Picture.of(await readFile(resolve(DRAWN, file)));
    let shown: Buffer = Buffer.alloc(0);
    let found: Difference[] = [];
    await expect
      .configure({ soft: true })
      .poll(
        async () => {
          shown = await this.shot();
          found = await differencesOf(expected, await Picture.of(shown));
          return found.slice(0, DIFFERENCES_SHOWN).map(wordsOf);
        },
        { message: `differences from docs/screens/${file}`, timeout: SETTLED_MS },
      )
      .toEqual([]);
    if (found.length > 0) {
      await attach(file, shown);
      await attach(`differences-${file}`, await markedWith(found, shown));
      return;
    }
    // The same code sees every picture: the long form proves it on each of them, the short one on the first of each test.
    if (isLong || this.taken === 0) await this.expectFaultsToBeSeen(file, expected);
    this.taken += 1;
  }

  /** Fails unless the comparison detects each fault of the screen. */
  private async expectFaultsToBeSeen(file: string, expected: Picture): Promise<void> {
    for (const [number, { name, make }] of (await faultsOf(this.page)).entries()) {
      const undo = await make();
      const shown = await this.shot();
      const found = await differencesOf(expected, await Picture.of(shown));
      if (found.length === 0) await attach(`unseen-${number}-${file}`, shown);
      expect.soft(found.length, `tiles of ${file} that differ with ${name}`).toBeGreaterThan(0);
      await undo();
    }
  }

  private shot(): Promise<Buffer> {
    return this.page.screenshot(STILL);
  }

  /** The screen once two pictures of it are the same. */
  private async settled(): Promise<Buffer> {
    let last = await this.shot();
    await expect(async () => {
      const next = await this.shot();
      const isSettled = next.equals(last);
      last = next;
      expect(isSettled).toBe(true);
    }).toPass({ timeout: SETTLED_MS });
    return last;
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
    await expectLoaded(page);
  }
}

/** Playwright's `test` with a server that is at one moment, with the same orders each time. */
export const test = base.extend({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern what a fixture needs: here nothing
  server: async ({}, use) => {
    const server = await TestServer.openAt(await copyPictured());
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
