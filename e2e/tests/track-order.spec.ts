/** The public pages. */

import { expectToast } from '../support/staffActions.ts';
import { inspect } from '../support/visualChecks.ts';
import { expect, readingTest, test } from '../support/test.ts';
import {
  detailsPath,
  download,
  orderWithVisa,
  orderWithoutVisa,
  track,
  trackPath,
} from '../support/visitor.ts';

readingTest(
  'the page renders without scripts, in the language of the cookie',
  { tag: '@screen' },
  async ({ browser, server }) => {
    const context = await browser.newContext({ javaScriptEnabled: false, baseURL: server.url });
    const page = await context.newPage();
    await page.goto('/track-order/MjAwMDAy');
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      'Please enter the email used on the application',
    );
    await context.addCookies([{ name: 'visadesk_language', value: 'ar', url: server.url }]);
    await page.reload();
    await expect(page.locator('html')).toHaveAttribute('lang', 'ar');
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
    await expect(page.getByLabel('البريد الإلكتروني')).toBeVisible();
    await context.close();
  },
);

readingTest('the first visit is in the language of the browser', async ({ browser, server }) => {
  const context = await browser.newContext({ locale: 'zh-TW', baseURL: server.url });
  const page = await context.newPage();
  await page.goto('/track-order/MjAwMDAy');
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-Hant');
  await context.addCookies([{ name: 'visadesk_language', value: 'de', url: server.url }]);
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await context.close();
});

readingTest(
  'the pages are compressed and link to the configured site alone',
  { tag: '@screen' },
  async ({ page, server }) => {
    const answer = await page.goto('/track-order/MjAwMDAy');
    expect(await answer?.headerValue('content-encoding')).toMatch(/^(br|gzip)$/);
    const links = await page
      .getByRole('navigation')
      .getByRole('link')
      .evaluateAll((found) =>
        (found as HTMLAnchorElement[]).map(({ href }) => new URL(href).origin),
      );
    expect(links).toEqual(Array.from({ length: 8 }, () => 'https://www.example.com'));
    const script = await fetch(
      server.url + (await page.locator('script[type=module]').getAttribute('src')),
      { headers: { 'Accept-Encoding': 'br' } },
    );
    expect(script.headers.get('content-encoding')).toBe('br');
  },
);

readingTest('missing fields show their errors', { tag: '@screen' }, async ({ page }) => {
  await page.goto('/track-order/none');
  await page.getByRole('button', { name: 'TRACK ORDER' }).click();
  await expect(page.getByText('Please enter your orderId')).toBeVisible();
  await expect(page.getByText('Please enter your email')).toBeVisible();
  await expect(page.getByLabel('Order ID')).toBeFocused();
});

test('a wrong email is refused, the right one shows the order, and a click downloads the visa', async ({
  page,
  server,
  context,
}) => {
  const order = await orderWithVisa(server);
  const asked: string[] = [];
  context.on('request', (request) => asked.push(request.url()));

  await test.step('a wrong email', async () => {
    await page.goto(trackPath(order));
    await page.getByLabel('Email').fill('somebody.else@traveller.example');
    const answered = page.waitForResponse('**/front/track-order');
    await page.getByRole('button', { name: 'TRACK ORDER' }).click();
    const answer = await answered;
    expect(answer.status()).toBe(404);
    const { message } = (await answer.json()) as { message: string };
    await expectToast(page, 'alert', message);
    await expect(page.getByRole('main').getByText(message).first()).toBeVisible();
    await expect(page).toHaveURL(trackPath(order));
  });

  await test.step('the right one, in capitals', async () => {
    await page.getByLabel('Email').fill(` ${order.email.toUpperCase()} `);
    await page.getByRole('button', { name: 'TRACK ORDER' }).click();
    await expect(page).toHaveURL(detailsPath(order));
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your e-visa is ready');
    await expect(page.getByText(`VD-${order.orderId}`)).toBeVisible();
  });

  await test.step('one click is one row', async () => {
    const rows = page.getByRole('region', { name: 'Downloaded History' }).locator('tbody tr');
    const before = await rows.count();
    const { name, opening } = await download(page);
    expect(name).toBe('e-visa.pdf');
    expect(opening).toBe('%PDF-');
    await expect(rows).toHaveCount(before + 1);
    await expect(rows.last()).toContainText(String(order.orderId));
    await expect(rows.last()).toContainText('127.0.0.1');
    await expect(rows.last()).toContainText(/\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d EST/);
    await page.reload();
    await expect(rows).toHaveCount(before + 1);
  });

  await test.step('no URL contains the email, and the browser stores nothing of it', async () => {
    const visited = [...asked, page.url()].map(decodeURIComponent);
    const [name] = order.email.split('@');
    expect(visited.filter((url) => url.includes('@') || url.includes(name!))).toEqual([]);
    const kept = await page.evaluate(() => [{ ...localStorage }, document.cookie]);
    expect(kept).toEqual([{}, '']);
  });
});

test('a visitor without a grant confirms the email again', async ({ page, server, context }) => {
  const order = await orderWithVisa(server);
  await track(page, order);
  await expect(page.getByRole('button', { name: 'Download Now' })).toBeVisible();
  await context.clearCookies();
  await page.getByRole('button', { name: 'Download Now' }).click();
  await expect(page).toHaveURL(trackPath(order));
  await expect(page.getByRole('status')).toHaveText(
    'Please confirm the email used on the application',
  );
  await page.goto(detailsPath(order));
  await expect(page).toHaveURL(trackPath(order));
});

test('a grant for one order shows no other', async ({ page, server }) => {
  const own = await orderWithoutVisa(server, 'TRAVEL-3');
  const other = await orderWithoutVisa(server, 'TRAVEL-4');
  await track(page, own);
  await page.goto(detailsPath(other));
  await expect(page).toHaveURL(trackPath(other));
  await expect(page.getByText(`VD-${other.orderId}`)).toBeHidden();
});

test('an order without a visa shows its status and offers no download', async ({
  page,
  server,
}) => {
  const order = await orderWithoutVisa(server, 'TRAVEL-5');
  await track(page, order);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'Indonesian immigration has your application',
  );
  await expect(page.getByText('As soon as your e-visa is ready')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Download Now' })).toBeHidden();
});

test('too many attempts have to wait, in every language', async ({ page, server }) => {
  const order = await orderWithoutVisa(server, 'TRAVEL-6');
  await page.goto(trackPath(order));
  for (let tries = 0; tries < 6; tries++) {
    await page.getByLabel('Email').fill(`guess-${tries}@traveller.example`);
    const answered = page.waitForResponse('**/front/track-order');
    await page.getByRole('button', { name: 'TRACK ORDER' }).click();
    await answered;
  }
  await page.getByLabel('Email').fill(order.email);
  const answered = page.waitForResponse('**/front/track-order');
  await page.getByRole('button', { name: 'TRACK ORDER' }).click();
  expect((await answered).status()).toBe(429);
  await page.getByLabel('Language').selectOption('Deutsch');
  await expect(
    page
      .getByRole('main')
      .getByText(/Es waren zu viele Versuche.*Wartezeit: \d+/)
      .first(),
  ).toBeVisible();
});

test(
  'without a connection nothing is lost',
  { tag: '@screen' },
  async ({ page, server, context }) => {
    const order = await orderWithoutVisa(server, 'TRAVEL-7');
    await page.goto(trackPath(order));
    await page.getByLabel('Email').fill(order.email);
    await context.setOffline(true);
    await page.getByRole('button', { name: 'TRACK ORDER' }).click();
    await expectToast(page, 'alert', 'You are not connected');
    await context.setOffline(false);
    await page.getByRole('button', { name: 'TRACK ORDER' }).click();
    await expect(page).toHaveURL(detailsPath(order));
  },
);

readingTest(
  'the language changes in place and is remembered',
  { tag: '@screen' },
  async ({ page, server }) => {
    const order = await orderWithVisa(server);
    await track(page, order);
    await page.getByLabel('Language').selectOption('العربية');
    await expect(page).toHaveURL(detailsPath(order));
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('تأشيرتك الإلكترونية جاهزة');
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
    const number = page.getByText(`VD-${order.orderId}`);
    await expect(number).toHaveAttribute('dir', 'ltr');
    await expect(number).toHaveAttribute('translate', 'no');

    await page.reload();
    await expect(page.locator('html')).toHaveAttribute('lang', 'ar');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('تأشيرتك الإلكترونية جاهزة');
  },
);

test(
  'the visa is downloaded with the keyboard alone',
  { tag: '@screen' },
  async ({ page, server }) => {
    const order = await orderWithVisa(server);
    await page.goto(trackPath(order));
    await expect(page.getByLabel('Order ID')).toHaveValue(String(order.orderId));
    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeFocused();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await expect(page.getByLabel('Order ID')).toBeFocused();
    await page.keyboard.press('Tab');
    await page.keyboard.type(order.email);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your e-visa is ready');
    await page.getByRole('heading', { level: 1 }).focus();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('button', { name: 'Download Now' })).toBeFocused();
    const begun = page.waitForEvent('download');
    await page.keyboard.press('Enter');
    await begun;
  },
);

readingTest(
  'on a phone the links to the site are in a menu',
  { tag: '@screen' },
  async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/track-order/MjAwMDAy');
    const link = page.getByRole('link', { name: 'Refund Policy' });
    await expect(link).toBeHidden();
    await page.getByRole('button', { name: 'Menu' }).click();
    await expect(link).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(link).toBeHidden();
  },
);

readingTest(
  'the track page fits every width, also from right to left',
  async ({ page, context, server }) => {
    for (const [value, name, button] of [
      ['en', 'track-order', 'TRACK ORDER'],
      ['ar', 'track-order-ar', 'تتبّع الطلب'],
    ] as const) {
      await context.addCookies([{ name: 'visadesk_language', value, url: server.url }]);
      await page.goto('/track-order/MjAwMDAy');
      await expect(page.getByRole('button', { name: button })).toBeVisible();
      await inspect(page, name);
    }
  },
);

test('the page of a visa that is ready fits every width, also from right to left', async ({
  page,
  context,
  server,
}) => {
  await track(page, await orderWithVisa(server));
  await download(page);
  for (const [value, name, heading] of [
    ['en', 'download', 'Your e-visa is ready'],
    ['ar', 'download-ar', 'تأشيرتك الإلكترونية جاهزة'],
  ] as const) {
    await context.addCookies([{ name: 'visadesk_language', value, url: server.url }]);
    await page.reload();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
    await inspect(page, name);
  }
});
