/** A slow connection: what a screen or a test takes for granted about the order of answers shows at once. */

import { setTimeout } from 'node:timers/promises';

import type { BrowserContext } from '@playwright/test';

/** Holds every call of the context's pages back for a random 0.2 to 2.7 seconds, so that calls also overtake each other. */
export async function slowCalls(context: BrowserContext): Promise<void> {
  await context.route('**/api/**', async (route) => {
    await setTimeout(200 + Math.random() * 2500);
    // The page may have gone by now.
    await route.fallback().catch(() => undefined);
  });
}
