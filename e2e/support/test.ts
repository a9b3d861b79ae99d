/** Playwright's `test` with a real server, a signed-in member and a guard on every page. */

import { test as base, expect } from '@playwright/test';

import { TestServer } from './testServer.ts';
import { watch } from './guard.ts';
import { slowCalls } from './slowCalls.ts';
import type { StaffType } from './staff.ts';
import type { Database } from './template.ts';

export interface ServerOptions {
  database: Database;
  /** The member who is signed in when the test starts; undefined for none. */
  as: StaffType | undefined;
}

interface ServerFixtures {
  /** Additional settings of the server. */
  settings: Record<string, string>;
  /** The name by which browsers reach the server. */
  host: string;
  server: TestServer;
  guard: void;
}

/** What a browser keeps of a sign-in. It alone signs the browser in, as after an earlier visit. */
export async function storedLogin(server: TestServer, as: StaffType) {
  const user = JSON.stringify({ accessToken: await server.signIn(as) });
  return {
    cookies: [],
    origins: [{ origin: server.url, localStorage: [{ name: 'user', value: user }] }],
  };
}

export const test = base.extend<ServerOptions & ServerFixtures>({
  database: ['sqlite', { option: true }],
  as: [undefined, { option: true }],

  settings: [{}, { option: true }],
  host: ['127.0.0.1', { option: true }],

  server: async ({ database, settings, host }, use, info) => {
    const server = await TestServer.open(database, settings, host);
    await use(server);
    const log = await server.close();
    if (info.status !== info.expectedStatus) {
      await info.attach('server.log', { body: log, contentType: 'text/plain' });
    }
    expect(log, "the server's log").not.toContain('panicked');
  },

  baseURL: async ({ server }, use) => use(server.url),

  storageState: async ({ server, as }, use) =>
    use(as === undefined ? undefined : await storedLogin(server, as)),

  guard: [
    async ({ context }, use) => {
      const faults = await watch(context);
      if (process.env['VISADESK_SLOW_CALLS'] !== undefined) await slowCalls(context);
      await use();
      expect(faults, 'faults the pages reported').toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };
