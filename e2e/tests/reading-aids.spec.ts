/** The main screens for people who space their texts, magnify the page, or force the colours of their system (WCAG 1.4.4, 1.4.10, 1.4.12). */

import type { Page } from '@playwright/test';

import { expectLoaded, expectSoundLayout } from '../support/layoutChecks.ts';
import { visaFile } from '../support/papers.ts';
import {
  expectStatesInForcedColors,
  expectVisibleFocus,
  spaceTexts,
  startAtTheTop,
} from '../support/readingAids.ts';
import { loadedRows } from '../support/staffActions.ts';
import { expect, readingTest } from '../support/test.ts';
import type { TestServer } from '../support/testServer.ts';
import { orderWithVisa, track, trackPath } from '../support/visitor.ts';

/** The stops of the Tab key that are looked at on each screen. */
const STOPS = 30;

/** The windows of a browser at 1440 and 1280 pixels, in which the page is magnified. */
const MAGNIFIED = [
  { zoom: '200 %', width: 720, height: 450 },
  { zoom: '400 %', width: 320, height: 256 },
];

type Open = (page: Page, server: TestServer) => Promise<void>;

async function openOrder(page: Page): Promise<void> {
  await page.goto('/admin/completed-order');
  await loadedRows(page).first().getByRole('link', { name: /^View/ }).click();
  await expect(page.getByRole('region', { name: 'Emails' })).toBeVisible();
  await expectLoaded(page);
}

/** The staff screens, each with what opens it. */
const STAFF_SCREENS: Record<string, Open> = {
  home: async (page) => {
    await page.goto('/admin');
    await expect(page.getByRole('region', { name: 'Needs attention' })).toBeVisible();
  },
  list: async (page) => {
    await page.goto('/admin/order-history');
    await expect(loadedRows(page)).toHaveCount(10);
    await loadedRows(page).first().getByRole('checkbox').check();
  },
  detail: openOrder,
  upload: async (page) => {
    await openOrder(page);
    const form = page.getByRole('form', { name: 'Upload Document' });
    await form.getByLabel('Visa', { exact: true }).setInputFiles(visaFile('A visa'));
    await expect(form.getByText('e-visa.pdf')).toBeVisible();
    await form.getByRole('button', { name: 'Upload and email via AWS' }).scrollIntoViewIfNeeded();
  },
  papers: async (page) => {
    await openOrder(page);
    await page.getByRole('link', { name: 'Documents', exact: true }).click();
    await expect(page.getByRole('navigation', { name: 'Documents' })).toBeVisible();
  },
};

const PUBLIC_SCREENS: Record<string, Open> = {
  'sign-in': async (page) => {
    await page.goto('/');
    await expect(page.getByRole('button', { name: 'Sign In' })).toBeVisible();
  },
  track: async (page, server) => {
    await page.goto(trackPath(await orderWithVisa(server)));
    await expect(page.getByRole('button', { name: 'TRACK ORDER' })).toBeVisible();
  },
  download: async (page, server) => {
    await track(page, await orderWithVisa(server));
    await expect(page.getByRole('region', { name: 'Downloaded History' })).toBeVisible();
  },
};

function readWithAids(screens: Record<string, Open>): void {
  for (const [name, open] of Object.entries(screens)) {
    readingTest(
      `${name} can be read and worked magnified, in forced colours and with spaced texts`,
      async ({ page, server }) => {
        await open(page, server);
        for (const { zoom, width, height } of MAGNIFIED) {
          await page.setViewportSize({ width, height });
          // The link that skips to the content lies over the header while it has the focus.
          await startAtTheTop(page);
          await expectSoundLayout(page);
          await expectVisibleFocus(page, STOPS, `${name} at ${zoom}`);
        }

        await page.emulateMedia({ forcedColors: 'active' });
        for (const width of [1440, 390]) {
          await page.setViewportSize({ width, height: 900 });
          await expectStatesInForcedColors(page, `${name} at ${width} px`);
        }
        await startAtTheTop(page);
        await expectVisibleFocus(page, STOPS, `${name} in forced colours`);
        await page.emulateMedia({ forcedColors: 'none' });

        await spaceTexts(page);
        await startAtTheTop(page);
        for (const width of [1440, 900, 390]) {
          await page.setViewportSize({ width, height: 900 });
          await expectSoundLayout(page);
        }
      },
    );
  }
}

readingTest.describe('an Admin', () => {
  readingTest.use({ as: 'Admin' });
  readWithAids(STAFF_SCREENS);
});

readingTest.describe('a visitor', () => {
  readWithAids(PUBLIC_SCREENS);
});

readingTest.describe('a Team member', () => {
  readingTest.use({ as: 'Team' });

  readingTest('sees the chosen command of the palette in forced colours', async ({ page }) => {
    await page.emulateMedia({ forcedColors: 'active' });
    await page.goto('/admin');
    await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
    await page.keyboard.press('Control+k');
    await expect(
      page.getByRole('dialog', { name: 'Find' }).getByRole('option').first(),
    ).toBeVisible();
    await page.keyboard.press('ArrowDown');
    await expectStatesInForcedColors(page, 'the palette');
  });
});
