/** The app behind a proxy that ends TLS. */

import type { BrowserContext } from '@playwright/test';

import { CLIENT_ADDRESS, test } from '../support/httpsProxy.ts';
import { PASSWORD, STAFF } from '../support/staff.ts';
import { expect } from '../support/test.ts';
import { download, orderWithVisa, track } from '../support/visitor.ts';

test.use({ ignoreHTTPSErrors: true });

/** The cookies of the server, by name. */
async function cookiesOf(context: BrowserContext) {
  const cookies = await context.cookies();
  return Object.fromEntries(cookies.map((cookie) => [cookie.name, cookie]));
}

test('staff sign in and open files over https, with a Secure cookie', async ({ page, context }) => {
  await page.goto('/');
  await page.getByLabel('Email ID').fill(STAFF.Team.email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page.getByText(`Welcome, ${STAFF.Team.name}`)).toBeVisible();

  const cookies = Object.values(await cookiesOf(context));
  expect(cookies).toHaveLength(1);
  expect(cookies[0]).toMatchObject({ secure: true, httpOnly: true, sameSite: 'Strict' });

  await page.goto('/admin/completed-order');
  await page.getByRole('link', { name: /^View/ }).first().click();
  // The image of its page comes by the signed link and the cookie.
  await expect(page.getByRole('img', { name: 'Travel document', exact: true })).toBeVisible();
});

test('a visitor downloads the visa over https, from the address that the proxy names', async ({
  page,
  context,
  server,
}) => {
  const order = await orderWithVisa(server);
  await track(page, order);
  const { '__Host-visitor': grant } = await cookiesOf(context);
  expect(grant).toMatchObject({ secure: true, httpOnly: true, path: '/' });
  const { name, opening } = await download(page);
  expect(name).toBe('e-visa.pdf');
  expect(opening).toBe('%PDF-');
  await expect(page.getByRole('row').last()).toContainText(CLIENT_ADDRESS);
});
