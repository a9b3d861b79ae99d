/** Another member who works at the same time, in a browser of their own. */

import type { BrowserContext, Page } from '@playwright/test';

import { watch } from './guard.ts';
import type { StaffType } from './staff.ts';
import { test as base, expect, storedLogin } from './test.ts';

interface ColleagueFixtures {
  /** Opens a browser in which a member of this type is signed in, and returns its page. */
  colleague: (as: StaffType) => Promise<Page>;
}

export const test = base.extend<ColleagueFixtures>({
  colleague: async ({ browser, server }, use) => {
    const opened: { context: BrowserContext; faults: string[] }[] = [];
    await use(async (as) => {
      const storageState = await storedLogin(server, as);
      const context = await browser.newContext({ baseURL: server.url, storageState });
      opened.push({ context, faults: await watch(context) });
      return context.newPage();
    });
    for (const { context, faults } of opened) {
      await context.close();
      expect(faults, 'faults the pages of a colleague reported').toEqual([]);
    }
  },
});
