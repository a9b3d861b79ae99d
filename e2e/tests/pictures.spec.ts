/** The screens as pictures. `cargo xtask pictures` draws them; every other run compares. */

import { TOTP } from 'otpauth';

import { fixedTime, MOMENT } from '../support/fixedTime.ts';
import { passportLines, pdf, TYPED_WRONG } from '../support/papers.ts';
import { openFirst, openList, Pictures, test } from '../support/pictures.ts';
import { portrait } from '../support/portraits.ts';
import { PASSWORD, STAFF } from '../support/staff.ts';
import { loadedRows, open, row } from '../support/staffActions.ts';
import { expect } from '../support/test.ts';
import { orderWithVisa, orderWithoutVisa, track, trackPath } from '../support/visitor.ts';

test.use({ as: 'Admin' });

/** Screens that are shown by their URL alone, and what each shows once it is loaded. */
const BY_URL = {
  'the dashboard and the reports': [
    ['home', '/admin', /^Needs attention/],
    ['future', '/admin/future-order', /^Dec/],
    ['country-order', '/admin/country-order', /^Total$/],
    ['processed-order', '/admin/processed-order', /^Total$/],
  ],
  'the settings and a missing order': [
    ['workload', '/admin/workload', /^Move/],
    ['canned-texts', '/admin/canned-texts', /^Add a text$/],
    ['manage-team', '/admin/manage-team', STAFF.Telecaller.email],
    ['gateway-setting', '/admin/gateway-setting', /^Payments go through/],
    ['change-password', '/admin/change-password', /^Update Password$/],
    ['paper-reasons', '/admin/paper-reasons', /offered$/],
    ['no-such-order', '/admin/view-order/nonsense', 'This order does not exist'],
  ],
} as const;

test('papers and their filing look as their pictures', async ({ page, server }) => {
  const pictures = await Pictures.open(page);
  await server.importOrders([{ external_reference: 'BARE-1' }]);
  await openFirst(page, '/admin/recent-order');
  await pictures.take('detail-bare');

  await server.importOrders([{ ...TYPED_WRONG, external_reference: 'PAPERS-1' }]);
  await server.addFiles('PAPERS-1', [
    ['passport_picture', pdf(passportLines().join(') Tj 0 -30 Td ('))],
    ['upload_picture', (await portrait(page, 240, 360)).buffer],
  ]);
  await openFirst(page, '/admin/recent-order');
  await page.getByRole('link', { name: 'Documents', exact: true }).click();
  await expect(async () => {
    await page.reload();
    const photograph = page.getByRole('button', { name: 'Recent colour photograph to check' });
    await expect(photograph).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await pictures.take('papers');
  await page.getByRole('link', { name: 'Filing', exact: true }).click();
  await expect(page.getByText('image from PDF, page 1')).toBeVisible();
  await pictures.take('filing');
});

// On a server without keys and other sessions.
test('keys, security and sign-in look as their pictures', async ({ page }) => {
  const pictures = await Pictures.open(page);
  await page.goto('/admin/api-keys');
  await page.getByLabel('Name').fill('visa-shop-2026');
  await pictures.take('api-keys');

  await page.goto('/admin/security');
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click();
  const key = await page.getByText('Or type this key').locator('code').innerText();
  const app = new TOTP({ secret: key.replaceAll(' ', '') });
  const timestamp = fixedTime() === undefined ? Date.now() : MOMENT.getTime();
  await page.getByLabel('Code of your authenticator app').fill(app.generate({ timestamp }));
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'I have kept them' }).click();
  await expect(page.getByText('10 recovery codes are left')).toBeVisible();
  await pictures.take('security');

  await page.evaluate(() => localStorage.clear());
  await page.goto('/');
  await page.getByLabel('Email ID').fill(STAFF.Admin.email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await pictures.take('sign-in');
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page.getByLabel('Code of your authenticator app')).toBeVisible();
  await pictures.take('sign-in-code');
});

test('a list and its dialogs look as their pictures', async ({ page }) => {
  const pictures = await Pictures.open(page);
  await openList(page, '/admin/recent-order');
  await pictures.take('list');
  await loadedRows(page).first().getByRole('checkbox').check();
  await loadedRows(page).nth(1).getByRole('checkbox').check();
  await pictures.take('list-selected');
  await page.keyboard.press('a');
  await expect(page.getByRole('dialog')).toBeVisible();
  await pictures.take('question');
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await pictures.take('help');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog', { name: 'Find' }).getByRole('combobox')).toBeFocused();
  await pictures.take('palette');
  await openList(page, '/admin/order-history?needs=untouched');
  await pictures.take('list-needs');
  await page.goto('/admin/recent-order?q=zzyzx');
  await expect(page.getByRole('searchbox')).toHaveValue('zzyzx');
  await expect(page.getByText('No records found')).toBeVisible();
  await pictures.take('list-empty');
});

/** Orders that colleagues have open, one of them with an owner. */
const BESIDE = ['Ingrid Solveig Nordahl', 'Magnus Haugen-Lindqvist', 'Sigrid Aas'].map(
  (full_name, place) => ({
    external_reference: `BESIDE-${place}`,
    full_name,
    nationality: 'Norway',
    process_status: 'Awaiting',
  }),
);

test('work beside colleagues looks as its pictures', async ({ page, server }) => {
  const pictures = await Pictures.open(page);
  await server.importOrders(BESIDE);
  const idOf = async (place: number) =>
    (await server.findOrder('awaitingOrder', `beside-${place}@`)).orderId;
  const [first, second] = [await idOf(0), await idOf(1)];
  const presence = (activity: string) => ({ orderId: [first, second], activity });
  await server.call('Team', 'PUT', 'admin/presence', presence('typing'));
  await server.call('Manager', 'PUT', 'admin/presence', presence('viewing'));
  await server.call('Team', 'PUT', 'admin/claim-filing', { orderId: first });
  await server.call('Manager', 'PUT', 'admin/reassign-orders', {
    orderId: second,
    assignto: STAFF.Admin.name,
    note: 'She asked for you, please call her today',
  });
  for (const [purpose, title, text] of [
    ['comment', 'No answer', 'Called {name}, no answer.'],
    ['whatsapp', 'Please call back', 'Dear {name}, please call us about order {order}.'],
  ]) {
    const saved = { id: null, purpose, title, texts: { en: text }, shared: true };
    await server.call('Manager', 'PUT', 'admin/canned-text', saved);
  }
  for (const [name, filter] of [
    ['Norwegians', { nationality: 'Norway' }],
    ['Priority, without an owner', { owner: 'none', mode: 'Priority Processing' }],
  ] as const) {
    const saved = { name, folder: 'awaitingOrder', filter, isShared: true };
    await server.call('Manager', 'PUT', 'admin/saved-view', saved);
  }

  await openList(page, '/admin/awaiting-response?nationality=Norway');
  const listed = row(page, BESIDE[0]!.full_name);
  await expect(listed).toContainText(`${STAFF.Team.name} is typing`);
  await expect(page.getByRole('link', { name: 'Norwegians 3' })).toBeVisible();
  await pictures.take('list-filtered');
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await expect(page.getByRole('dialog', { name: 'Filter this list' })).toBeVisible();
  await pictures.take('list-filter');
  await page.keyboard.press('Escape');

  await open(page, BESIDE[0]!.full_name);
  await expect(page.getByRole('list', { name: 'Colleagues at this order' })).toBeVisible();
  await page.getByRole('button', { name: 'WhatsApp' }).click();
  await page.getByRole('dialog').getByLabel('Canned text').selectOption('Please call back');
  await pictures.take('whatsapp');
  await page.getByRole('button', { name: 'Close' }).click();
  await page.keyboard.press('f');
  await expect(page.getByRole('alert', { name: 'Filed by a colleague' })).toBeVisible();
  await pictures.take('filing-claimed');

  await page.getByRole('button', { name: 'Inbox, 1 unread' }).click();
  await expect(page.getByRole('dialog', { name: 'Inbox' })).toContainText('please call her today');
  await pictures.take('inbox');
});

test('the access log and the audit look as their pictures', async ({ page }) => {
  const pictures = await Pictures.open(page);
  // These two list everything that was done so far.
  await openList(page, '/admin/recent-order');
  await page.goto('/admin/access-log');
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await pictures.take('access-log');
  await page.goto('/admin/audit');
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await pictures.take('audit');
});

for (const [what, screens] of Object.entries(BY_URL)) {
  test(`${what} look as their pictures`, async ({ page }) => {
    const pictures = await Pictures.open(page);
    for (const [name, path, shows] of screens) {
      await page.goto(path);
      await expect(page.getByRole('main').getByText(shows).first()).toBeVisible();
      await pictures.take(name);
    }
  });
}

test('chargebacks, refunds and two orders look as their pictures', async ({ page }) => {
  const pictures = await Pictures.open(page);
  await openList(page, '/admin/chargeback');
  await pictures.take('chargebacks');
  await openList(page, '/admin/refund-order');
  await pictures.take('refunds');
  await openFirst(page, '/admin/completed-order');
  await pictures.take('detail');
  await openFirst(page, '/admin/chargeback');
  await pictures.take('detail-chargeback');
});

test('the public pages look as their pictures', async ({ page, server }) => {
  const pictures = await Pictures.open(page);
  const waiting = await orderWithoutVisa(server, 'TRACK-1');
  await page.goto(trackPath(waiting));
  await pictures.take('track-order');
  await track(page, await orderWithVisa(server));
  await pictures.take('download');
  await page.getByRole('combobox').selectOption('ar');
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
  await pictures.take('download-ar');
});
