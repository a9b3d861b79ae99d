/** Playwright's `test` with a real server, a signed-in member and a guard on every page. */

import { type Page, test as base, expect } from '@playwright/test';

import type { Settings } from './binary.ts';
import { watch, watchForChanges } from './guard.ts';
import { slowCalls } from './slowCalls.ts';
import type { StaffType } from './staff.ts';
import type { Database } from './template.ts';
import { TestServer } from './testServer.ts';

export interface ServerOptions {
  database: Database;
  /** The member who is signed in when the test starts; undefined for none. */
  as: StaffType | undefined;
}

interface ServerFixtures {
  /** Additional settings of the server. */
  settings: Settings;
  /** The name by which browsers reach the server. */
  host: string;
  /** Whether the test only reads, from a server that it shares with other tests. */
  isReading: boolean;
  server: TestServer;
  guard: void;
}

/** The shared servers of one worker, which start with the first test that needs them. */
class SharedServers {
  private readonly servers = new Map<Database, Promise<TestServer>>();

  of(database: Database): Promise<TestServer> {
    const server = this.servers.get(database) ?? TestServer.openShared(database);
    this.servers.set(database, server);
    return server;
  }

  async close(): Promise<void> {
    for (const server of this.servers.values()) expectNoPanic(await (await server).close());
  }
}

const expectNoPanic = (log: string): void =>
  expect(log, "the server's log").not.toContain('panicked');

/** The parts of an order that are folded at first. */
const FOLDS = [
  'Comment History',
  'Email History',
  'Download History',
  'Failed Tracking Attempts',
  'Timeline',
  'Checkout Evidence',
  'Visa Type Information',
  'Address in Indonesia',
  'Evidence',
  'Needed only in some cases',
  'Applicant And Passport Image',
];

/** What a browser keeps of an earlier visit: the sign-in, and that the member left nothing of an order folded. */
export async function storedLogin(server: TestServer, as: StaffType) {
  const user = JSON.stringify({ accessToken: await server.signIn(as) });
  return {
    cookies: [],
    origins: [
      {
        origin: server.url,
        localStorage: [
          { name: 'user', value: user },
          { name: 'visadesk.unfolded', value: FOLDS.join() },
        ],
      },
    ],
  };
}

/** Signs the browser of a page in as another member. The page is left first, or it would see itself signed out. */
export async function signInAs(page: Page, server: TestServer, as: StaffType): Promise<void> {
  await page.goto('about:blank');
  await page.context().setStorageState(await storedLogin(server, as));
}

export const test = base.extend<ServerOptions & ServerFixtures, { sharedServers: SharedServers }>({
  database: ['sqlite', { option: true }],
  as: [undefined, { option: true }],

  settings: [{}, { option: true }],
  host: ['127.0.0.1', { option: true }],

  isReading: [false, { option: true }],

  sharedServers: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern what a fixture needs: here nothing
    async ({}, use) => {
      const servers = new SharedServers();
      await use(servers);
      await servers.close();
    },
    { scope: 'worker' },
  ],

  server: async ({ database, settings, host, isReading, sharedServers }, use, info) => {
    if (isReading) {
      if (Object.keys(settings).length > 0) throw new Error('a shared server has no settings');
      await use(await sharedServers.of(database));
      return;
    }
    const server = await TestServer.open(database, settings, host);
    await use(server);
    const log = await server.close();
    if (info.status !== info.expectedStatus) {
      await info.attach('server.log', { body: log, contentType: 'text/plain' });
    }
    expectNoPanic(log);
  },

  baseURL: async ({ server }, use) => use(server.url),

  storageState: async ({ server, as }, use) =>
    use(as === undefined ? undefined : await storedLogin(server, as)),

  guard: [
    async ({ context, isReading }, use) => {
      const faults = await watch(context);
      if (isReading) await watchForChanges(context, faults);
      if (process.env['VISADESK_SLOW_CALLS'] !== undefined) await slowCalls(context);
      await use();
      expect(faults, 'faults the pages reported').toEqual([]);
    },
    { auto: true },
  ],
});

/** A test that only reads. It shares its server, and fails if it sends a call that may change anything. */
export const readingTest = test.extend({ isReading: true });

export { expect };
