/** Sessions that end while their page is open. */

import { type Page, expect } from '@playwright/test';

import type { TestServer } from './testServer.ts';

/** Ends the session of a page on the server, as another browser would. The page learns of it from its stream of changes. */
export async function endSession(page: Page, server: TestServer): Promise<void> {
  const { accessToken } = await page.evaluate(
    () => JSON.parse(localStorage.getItem('user')!) as { accessToken: string },
  );
  const url = `${server.url}/api/admin/sign-out`;
  const answer = await fetch(url, { method: 'POST', headers: { Authorization: accessToken } });
  expect(answer.status).toBe(200);
}

/**
 * Ends the session of a page as it makes its next call of this address. Any earlier, and the stream of changes may be the first
 * to find out.
 */
export async function endSessionAt(page: Page, server: TestServer, call: string): Promise<void> {
  await page.route(
    `**/api/admin/${call}`,
    async (route) => {
      await endSession(page, server);
      await route.continue();
    },
    { times: 1 },
  );
}
