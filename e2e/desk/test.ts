/** Playwright's `test` with a desk: a real server, somebody signed in, and a guard on every page. */

import { test as base, expect } from '@playwright/test';

import { Desk } from './desk.ts';
import { watch } from './guard.ts';
import type { StaffType } from './staff.ts';
import type { Database } from './template.ts';

export interface DeskOptions {
  database: Database;
  /** Who is signed in when the test starts; nobody unless said. */
  as: StaffType | undefined;
}

interface DeskFixtures {
  /** Settings of the server besides those that every test has. */
  settings: Record<string, string>;
  desk: Desk;
  guard: void;
}

export const test = base.extend<DeskOptions & DeskFixtures>({
  database: ['sqlite', { option: true }],
  as: [undefined, { option: true }],

  settings: [{}, { option: true }],

  desk: async ({ database, settings }, use, info) => {
    const desk = await Desk.open(database, settings);
    await use(desk);
    const log = await desk.close();
    if (info.status !== info.expectedStatus) {
      await info.attach('server.log', { body: log, contentType: 'text/plain' });
    }
    expect(log, "the server's log").not.toContain('panicked');
  },

  baseURL: async ({ desk }, use) => use(desk.url),

  // The stored login alone signs a browser in, just as after a visit of yesterday.
  storageState: async ({ desk, as }, use) => {
    if (as === undefined) {
      await use(undefined);
      return;
    }
    const user = JSON.stringify({ accessToken: await desk.signIn(as) });
    await use({
      cookies: [],
      origins: [{ origin: desk.url, localStorage: [{ name: 'user', value: user }] }],
    });
  },

  guard: [
    async ({ context }, use) => {
      const faults = await watch(context);
      await use();
      expect(faults, 'faults the pages reported').toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };
