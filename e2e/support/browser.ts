/** How the tests start a browser. */

import type { LaunchOptions } from '@playwright/test';

import { chromium } from './binary.ts';

const root = process.getuid?.() === 0;

/** The options for this browser. */
export function launchOptions(executablePath: string): LaunchOptions {
  return {
    executablePath,
    // Chromium has no sandbox for root. The rest keeps it from calling home, which a closed network refuses.
    args: [
      ...(root ? ['--no-sandbox'] : []),
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-quic',
      '--disable-sync',
      '--no-first-run',
    ],
  };
}

/** For tests that look at the tab of a PDF, which the headless shell saves instead: `test.use(withPdfViewer)`. */
export const withPdfViewer = { launchOptions: launchOptions(chromium()) };
