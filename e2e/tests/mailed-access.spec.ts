/** The ways from a mail to an order without typing its email: the key of a link, and a code. */

import type { Page } from '@playwright/test';

import { test } from '../support/delivery.ts';
import type { Received } from '../support/mailbox.ts';
import { expectToast } from '../support/staffActions.ts';
import { expect } from '../support/test.ts';
import { detailsPath, orderWithVisa, trackPath } from '../support/visitor.ts';
import type { FoundOrder } from '../support/testServer.ts';
import { inspect } from '../support/visualChecks.ts';

test.use({ as: 'Team' });

/** The link in a mail, with its key. */
function linkIn({ mail }: Received): string {
  const link = /https?:\/\/\S+#key=[\w-]{43}/.exec(mail.text ?? '')?.[0];
  expect(link, 'a link with a key').toBeDefined();
  return link!;
}

/** Mails the link from the order's page and returns it. */
async function mailLink(page: Page, order: FoundOrder): Promise<void> {
  await page.goto(`/admin/view-order/${encodeURIComponent(btoa(String(order.orderId * 2)))}`);
  await page.getByRole('form', { name: 'Send the download link' }).getByRole('button').click();
  await expectToast(page, 'status', order.email);
}

/** Tries wrong emails until the order waits. */
async function lockOut(serverUrl: string, { orderId }: FoundOrder): Promise<void> {
  for (let guess = 0; guess < 5; guess += 1) {
    await fetch(`${serverUrl}/api/front/track-order`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ orderId: String(orderId), email: `guess${guess}@else.example` }),
    });
  }
}

test('an applicant locked out by strangers gets in with a mailed code', async ({
  browser,
  server,
  mailbox,
}) => {
  const order = await orderWithVisa(server);
  await lockOut(server.url, order);
  const context = await browser.newContext({ baseURL: server.url });
  const page = await context.newPage();
  await page.goto(trackPath(order));
  await page.getByLabel('Email').fill(order.email);
  await page.getByRole('button', { name: 'TRACK ORDER' }).click();
  await expect(
    page
      .getByRole('main')
      .getByText(/Too many tries/)
      .first(),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Send me a code by email' }).press('Enter');

  const field = page.getByLabel('Code from the email');
  await expect(field).toBeFocused();
  const { mail, recipients } = await mailbox.arrival(1);
  expect(recipients).toEqual([order.email]);
  const code = /^\d{6}$/m.exec(mail.text ?? '')?.[0];
  await inspect(page, 'tracking-code');

  await page.reload();
  await page.getByLabel('Code from the email').fill(code === '000000' ? '000001' : '000000');
  await page.keyboard.press('Enter');
  await expect(page.getByText(/This code is wrong or no longer valid/)).toBeVisible();
  await page.getByLabel('Code from the email').fill(code!);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(detailsPath(order));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your e-visa is ready');
  await context.close();
});

test('the link of a mail opens the order without typing, until it is revoked', async ({
  page,
  browser,
  server,
  mailbox,
}) => {
  const order = await orderWithVisa(server);
  await mailLink(page, order);
  const link = linkIn(await mailbox.arrival(1));
  const key = link.split('#key=')[1]!;

  const context = await browser.newContext({ baseURL: server.url });
  const visitor = await context.newPage();
  const asked: string[] = [];
  context.on('request', (request) => asked.push(request.url(), request.headers()['referer'] ?? ''));
  await test.step('the link opens the order and records nothing', async () => {
    const rows = visitor.getByRole('region', { name: 'Downloaded History' }).locator('tbody tr');
    await visitor.goto(link);
    await expect(visitor).toHaveURL(detailsPath(order));
    await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Your e-visa is ready');
    const before = await rows.count();
    await visitor.goto(link);
    await expect(visitor).toHaveURL(detailsPath(order));
    await expect(rows).toHaveCount(before);
  });

  await test.step('a reload while the link opens opens the order all the same', async () => {
    await context.clearCookies();
    await visitor.goto('about:blank');
    // The first call gets no answer: the reload ends it.
    const call = '**/api/front/open-mailed-link';
    await visitor.route(call, () => {}, { times: 1 });
    const begun = visitor.waitForRequest(call);
    await visitor.goto(link);
    await begun;
    await visitor.reload();
    await expect(visitor).toHaveURL(detailsPath(order));
  });

  await test.step('the key is in no request and not in the address', async () => {
    expect(asked.filter((text) => text.includes(key) && !text.includes('#'))).toEqual([]);
    await visitor.goBack();
    expect(visitor.url()).not.toContain(key);
  });

  await test.step('Email History shows the mail, and staff revoke its link', async () => {
    await page.reload();
    expect(await page.content()).not.toContain(key);
    await page.getByRole('button', { name: 'Revoke emailed links' }).click();
    await page.getByRole('button', { name: 'Yes, revoke' }).click();
    await expectToast(page, 'status', '1 link in sent mails no longer opens this order');
  });

  await test.step('the revoked link asks for the email', async () => {
    await context.clearCookies();
    await visitor.goto('about:blank');
    await visitor.goto(link);
    await expect(visitor.getByRole('status')).toHaveText(
      'This link is no longer valid. Please enter the email used on the application',
    );
    await expect(visitor.getByLabel('Email')).toBeVisible();
    await inspect(visitor, 'revoked-link');
  });
  await context.close();
});
