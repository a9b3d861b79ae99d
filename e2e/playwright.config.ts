import { defineConfig } from '@playwright/test';

import { chromium } from './support/binary.ts';
import type { ServerOptions } from './support/test.ts';

const ci = process.env['CI'] !== undefined;
const root = process.getuid?.() === 0;

/** Every test gets a server, a database and a browser context of its own, so they run in any order. */
export default defineConfig<ServerOptions>({
  testDir: 'tests',
  outputDir: 'test-results',
  globalSetup: './support/prepare.ts',
  globalTeardown: './support/clear.ts',
  fullyParallel: true,
  forbidOnly: ci,
  workers: 2,
  // Machines that build the server at the same time are slow.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: ci ? [['list']] : [['list'], ['html', { open: 'never' }]],
  use: {
    // Neither the agency's zone nor the office's: no screen may depend on where the browser stands.
    timezoneId: 'America/New_York',
    locale: 'en-GB',
    viewport: { width: 1440, height: 900 },
    trace: 'retain-on-failure',
    launchOptions: {
      executablePath: chromium(),
      // Chromium has no sandbox for root. The rest keeps it from calling home, which a closed network refuses.
      args: [
        ...(root ? ['--no-sandbox'] : []),
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-quic',
        '--disable-sync',
        '--no-first-run',
      ],
    },
  },
  projects: [
    { name: 'sqlite', use: { database: 'sqlite' } },
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
