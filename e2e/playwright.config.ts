import { availableParallelism } from 'node:os';

import { defineConfig } from '@playwright/test';

import { headlessShell } from './support/binary.ts';
import { launchOptions } from './support/browser.ts';
import { isLong } from './support/forms.ts';
import type { ServerOptions } from './support/test.ts';

/** Specs that only the long form of the tests runs. */
const LONG = ['firefox.spec.ts', 'large.spec.ts'];
/** Specs that only `cargo xtask pictures` runs. */
const DRAWN = ['states.spec.ts'];
/** The specs with the longest tests, which start first: at the end, a long test would leave the other workers without work. */
const LONGEST = ['list-layout', 'long-lists', 'papers-walk', 'pictures', 'upload'].map(
  (it) => `${it}.spec.ts`,
);
/** Layout, which depends on no database. */
const LAYOUT = /fits? every width/;
/**
 * What the short form leaves out with each database: the two ways of a delivery that are tested with the other database, and what the
 * screen alone decides.
 */
const LEFT_OUT = {
  sqlite: [/in a folder and mails by Sendgrid/, /in S3 and mails by AWS/],
  postgres: [/in a folder and mails by AWS/, /in S3 and mails by Sendgrid/, /@screen/],
};
const isDrawing = process.env['VISADESK_PICTURES'] !== undefined;
const ci = process.env['CI'] !== undefined;

/** Every test has a browser context of its own, and a server and a database unless it only reads: they run in any order. */
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
  },
  reporter: [
    ['list'],
    ['./support/times.ts'],
    ...(ci ? [] : [['html', { open: 'never' }] satisfies [string, object]]),
  ],
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
      name: 'sqlite-longest',
      use: { database: 'sqlite' },
      testMatch: [...LONGEST, ...(isDrawing ? DRAWN : [])],
    },
    {
      name: 'sqlite',
      use: { database: 'sqlite' },
      testIgnore: [...LONGEST, ...DRAWN, ...(isLong ? [] : LONG)],
      grepInvert: isLong ? [] : LEFT_OUT.sqlite,
    },
    {
      name: 'postgres',
      use: { database: 'postgres' },
      // The specs whose queries differ most between the databases.
      testMatch: [
        'main-job.spec.ts',
        'delivery.spec.ts',
        'order-lists.spec.ts',
        'refund-order.spec.ts',
        'track-order.spec.ts',
        'audit.spec.ts',
      ],
      grepInvert: isLong ? LAYOUT : [LAYOUT, ...LEFT_OUT.postgres],
    },
  ],
});
