import { availableParallelism } from 'node:os';

import { defineConfig } from '@playwright/test';

import { headlessShell } from './support/binary.ts';
import { launchOptions } from './support/browser.ts';
import type { ServerOptions } from './support/test.ts';

/** Specs that only the long form of the tests runs. */
const LONG = ['firefox.spec.ts', 'large.spec.ts'];
/** Specs that only `cargo xtask pictures` runs. */
const DRAWN = ['states.spec.ts'];
const isLong = process.env['VISADESK_TEST_LONG'] !== undefined;
const isDrawing = process.env['VISADESK_PICTURES'] !== undefined;
const ci = process.env['CI'] !== undefined;

/** Every test gets a server, a database and a browser context of its own, so they run in any order. */
export default defineConfig<ServerOptions>({
  testDir: 'tests',
  outputDir: 'test-results',
  globalSetup: './support/prepare.ts',
  fullyParallel: true,
  forbidOnly: ci,
  // A test waits for its server and its browser about as long as it computes.
  workers: 2 * availableParallelism(),
  // A machine that is shared, or builds the server at the same time, may give a test a tenth of a core.
  timeout: 300_000,
  expect: {
    timeout: 40_000,
    toHaveScreenshot: {
      maxDiffPixelRatio: 0.01,
      pathTemplate: '../docs/screens/{arg}{ext}',
    },
  },
  updateSnapshots: isDrawing ? 'all' : 'none',
  reporter: ci ? [['list']] : [['list'], ['html', { open: 'never' }]],
  use: {
    // Neither the agency's zone nor the office's: no screen may depend on where the browser stands.
    timezoneId: 'America/New_York',
    locale: 'en-GB',
    viewport: { width: 1440, height: 900 },
    // A trace costs a fifth of the processor: `npx playwright test --trace=on FILE` records one of a test that failed.
    screenshot: 'only-on-failure',
    launchOptions: launchOptions(headlessShell()),
  },
  projects: [
    {
      name: 'sqlite',
      use: { database: 'sqlite' },
      testIgnore: [...(isLong ? [] : LONG), ...(isDrawing ? [] : DRAWN)],
    },
    {
      name: 'postgres',
      use: { database: 'postgres' },
      // The specs whose queries differ most between the databases. Layout does not depend on them.
      testMatch: [
        'main-job.spec.ts',
        'delivery.spec.ts',
        'order-lists.spec.ts',
        'refund-order.spec.ts',
        'track-order.spec.ts',
        'audit.spec.ts',
      ],
      grepInvert: /fits? every width/,
    },
  ],
});
