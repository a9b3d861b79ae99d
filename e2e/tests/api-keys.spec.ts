import type { Locator, Page } from '@playwright/test';

import { confirm, expectToast, row, tabTo } from '../support/staffActions.ts';
import { inspect } from '../support/visualChecks.ts';
import { expect, readingTest, test } from '../support/test.ts';

const SCREEN = '/admin/api-keys';

const create = (page: Page): Locator => page.getByRole('button', { name: 'Create key' });

/** The status of a call to `path` with this key. */
async function callWith(url: string, key: string, path = 'intake/active-gateway'): Promise<number> {
  const order = { full_name: 'Ann Lee', contact_email_address: 'ann@post.example' };
  const post = {
    method: 'POST',
    body: JSON.stringify({ ...order, processing_mode: 'Regular Processing' }),
  };
  const answer = await fetch(`${url}/api/${path}`, {
    headers: { 'X-Api-Key': key, 'Content-Type': 'application/json' },
    ...(path === 'intake/orders' && post),
  });
  return answer.status;
}

test.describe('an Admin', () => {
  test.use({ as: 'Admin' });

  test('creates a key, which works within its rights until it is revoked', async ({
    page,
    server,
  }) => {
    await page.goto('/admin');
    await page.getByRole('link', { name: 'API Keys' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('API Keys');
    await expect(page.getByText('A sales site needs one to send orders.')).toBeVisible();
    await page.getByLabel('Name', { exact: true }).fill('visa-shop');
    await page.getByLabel('Source').fill('Visa Shop');
    await page.getByLabel('Add payments').uncheck();
    await page.getByLabel('Add documents').uncheck();
    await page.getByLabel('Read the gateway').uncheck();
    await create(page).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText('It is not shown again');
    const key = await dialog.getByRole('code').innerText();
    expect(key).toMatch(/^visadesk_[0-9a-f]{64}$/);
    await inspect(page, 'api-key-made');
    await dialog.getByRole('button', { name: 'Close' }).click();

    await expect(row(page, 'visa-shop')).toContainText('Visa Shop');
    await expect(row(page, 'visa-shop')).toContainText('orders');
    expect(await page.content(), 'the key is not on the page any more').not.toContain(key);
    expect(await callWith(server.url, key, 'intake/orders')).toBe(200);
    expect(await callWith(server.url, key)).toBe(403);

    await page.getByRole('button', { name: 'Revoke visa-shop' }).click();
    await confirm(page, 'Its next call is refused');
    await expectToast(page, 'status', 'The key visa-shop has been revoked');
    await expect(row(page, 'visa-shop')).toContainText('Revoked');
    expect(await callWith(server.url, key, 'intake/orders')).toBe(401);
  });

  test('sees what a sales site sent in a form that is not understood, until a member has dealt with it', async ({
    page,
    server,
  }) => {
    await page.goto(SCREEN);
    await page.getByLabel('Name', { exact: true }).fill('odd-shop');
    await create(page).click();
    const key = await page.getByRole('dialog').getByRole('code').innerText();
    const long = `Villa ${'Anggrek Bulan Purnama, Jalan Raya Seminyak, '.repeat(12)}`;
    const taken = await fetch(`${server.url}/api/intake/orders`, {
      method: 'POST',
      headers: { 'X-Api-Key': key, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        full_name: 'Wilhelmina Odd-Fields',
        contact_email_address: 'odd@post.example',
        processing_mode: 'Regular Processing',
        sex: 'Maybe later',
        arrival_date: 'end of May',
        address: long,
      }),
    });
    expect(taken.status).toBe(200);
    await page.goto('/admin/pending-order');
    const odd = row(page, 'Wilhelmina Odd-Fields');
    await expect(odd).toContainText('3 fields unclear');
    await odd.getByRole('link', { name: /^View/ }).click();
    const notice = page.getByRole('region', { name: 'Unclear fields' });
    await expect(notice).toContainText('end of May');
    await inspect(page, 'unclear-fields');
    for (const label of ['Sex', 'Address', 'Arrival Date']) {
      await notice.getByRole('button', { name: `Nothing to correct: ${label}` }).click();
      await expect(notice.getByText(label, { exact: true })).toHaveCount(0);
    }
    await expect(notice).toBeHidden();
    await page.goto('/admin/pending-order');
    await expect(odd).toBeVisible();
    await expect(odd).not.toContainText('unclear');
  });

  test('creates and revokes a key with the keyboard alone', async ({ page }) => {
    await page.goto(SCREEN);
    await tabTo(page, page.getByLabel('Name', { exact: true }));
    await page.keyboard.type('visa-shop');
    await tabTo(page, page.getByLabel('Add documents'));
    await page.keyboard.press('Space');
    await tabTo(page, create(page));
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Copy key' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
    await expect(row(page, 'visa-shop')).toContainText('orders, payments, gateway');

    await tabTo(page, page.getByRole('button', { name: 'Revoke visa-shop' }));
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog')).toContainText('Its next call is refused');
    await page.keyboard.press('Enter');
    await expectToast(page, 'status', 'The key visa-shop has been revoked');
  });

  readingTest('sees an empty list that fits every width', async ({ page }) => {
    await page.goto(SCREEN);
    await expect(page.getByText('There are no API keys.')).toBeVisible();
    await inspect(page, 'api-keys-empty');
  });

  test('sees keys that fit every width, with long names and all limits', async ({
    page,
    server,
  }) => {
    const long = {
      name: 'raden-ajeng-siti-maria-magdalena-kusumawardhani-soerjadiningrat-and-daughters-visa-shop-production',
      source: 'Raden Ajeng Siti Maria Magdalena Kusumawardhani Soerjadiningrat and Daughters',
      rights: ['orders', 'documents', 'gateway'],
      expires: '2090-05-31',
      networks: '203.0.113.0/24, 198.51.100.17, 2001:db8:1234:5678::/64',
      calls_per_minute: 100_000,
    };
    await server.call('Admin', 'POST', 'admin/add-api-key', long);
    await server.call('Admin', 'POST', 'admin/add-api-key', { name: 'old shop' });
    await server.call('Admin', 'POST', 'admin/revoke-api-key', { apiKeyId: 2 });
    await server.call('Admin', 'POST', 'admin/add-api-key', { name: 'visa shop' });
    await page.goto(SCREEN);
    await expect(row(page, 'old shop')).toContainText('Revoked');
    await expect(row(page, long.name)).toContainText('Revoke');
    await inspect(page, 'api-keys');
  });
});

test.describe('a Manager', () => {
  test.use({ as: 'Manager' });

  readingTest('has no link to API Keys, and its URL shows why', async ({ page }) => {
    await page.goto('/admin');
    await expect(page.getByRole('link', { name: 'Manage Team' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'API Keys' })).toHaveCount(0);
    await page.goto(SCREEN);
    await expect(page.getByText('Manager staff may not do this').first()).toBeVisible();
    await expect(create(page)).toHaveCount(0);
  });
});
