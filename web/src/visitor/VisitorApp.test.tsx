import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Language } from '@/i18n/languages';
import { textsIn } from '@/i18n/texts';
import { post, refusal, server, success } from '@/testing/server';
import { SITE, download, openVisitorPage, readyOrder } from '@/testing/visitor';

const TRACK = '/track-order/MjAwMDAy';
const DETAILS = '/get-new-order-details/MjAwMDAy';
const NOT_MATCHING = 'No order matches this order id and email';

const email = (name = 'Email') => screen.findByRole('textbox', { name });
const submit = () => screen.findByRole('button', { name: 'TRACK ORDER' });
const heading = () => screen.findByRole('heading', { level: 1 });

beforeEach(() => {
  document.cookie = 'visadesk_language=; Max-Age=0; Path=/';
  document.documentElement.lang = 'en';
});

test('the track page asks for the email and fills in the order of the link', async () => {
  await openVisitorPage(TRACK);
  expect(await heading()).toHaveTextContent('Please enter the email used on the application');
  expect(screen.getByRole('textbox', { name: 'Order ID' })).toHaveValue('100001');
  expect(await email()).toHaveAttribute('type', 'email');
  expect(await email()).toHaveAttribute('inputmode', 'email');
  expect(await email()).toHaveAttribute('autocomplete', 'email');
  expect(document.title).toBe('Track your order · Visadesk');
});

test('an invalid link leaves the order field empty', async () => {
  await openVisitorPage('/track-order/%00%ff');
  expect(await screen.findByRole('textbox', { name: 'Order ID' })).toHaveValue('');
});

test('no field has a name that a browser could put into the URL', async () => {
  await openVisitorPage(TRACK);
  await email();
  for (const field of document.querySelectorAll('input, select')) {
    expect(field).not.toHaveAttribute('name');
  }
});

test('errors are shown under the fields and removed while typing', async () => {
  const user = await openVisitorPage(TRACK);
  await user.clear(screen.getByRole('textbox', { name: 'Order ID' }));
  await user.click(await submit());
  expect(screen.getByText('Please enter your orderId')).toBeVisible();
  expect(screen.getByText('Please enter your email')).toBeVisible();
  expect(screen.getByRole('textbox', { name: 'Order ID' })).toHaveFocus();
  await user.type(await email(), 'w');
  expect(screen.queryByText('Please enter your email')).toBeNull();
  expect(screen.getByText('Please enter your orderId')).toBeVisible();
});

test('a refused email shows the server’s message in a toast and in the form', async () => {
  server.use(
    post('/api/front/track-order', () => refusal(404, NOT_MATCHING, 'application_not_found')),
  );
  const user = await openVisitorPage(TRACK);
  await user.type(await email(), 'wrong@post.example');
  await user.click(await submit());
  expect(await screen.findByRole('alert')).toHaveTextContent(NOT_MATCHING);
  expect(screen.getAllByText(NOT_MATCHING)).toHaveLength(2);
  expect(location.pathname).toBe(TRACK);
  expect(await email()).toHaveValue('wrong@post.example');
  await user.click(screen.getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('alert')).toBeNull();
  expect(screen.getByText(NOT_MATCHING)).toBeVisible();
});

test.each([
  ['the order and email do not match', 404, 'application_not_found', 'notMatching'],
  ['there were too many tries', 429, 'too_many_public_calls', 'tooMany'],
  ['the server is busy', 503, 'not_ready', 'unavailable'],
  ['the entries are not understood', 422, 'wrong_shape', 'checkEntries'],
  ['the server fails', 500, 'refused', 'unexpected'],
] as const)('in another language we say ourselves that %s', async (_, status, code, name) => {
  server.use(post('/api/front/track-order', () => refusal(status, 'Words in English', code)));
  const german = await textsIn('de');
  const user = await openVisitorPage(TRACK, 'de');
  await user.type(await email(german.email), 'wrong@post.example');
  await user.click(screen.getByRole('button', { name: german.trackOrder }));
  expect(await screen.findByRole('alert')).toHaveTextContent(german[name]);
  expect(screen.queryByText('Words in English')).toBeNull();
});

test('the waiting time is shown when the server sends it', async () => {
  server.use(
    post('/api/front/track-order', () =>
      HttpResponse.json(
        { status: 0, message: 'Slow down' },
        { status: 429, headers: { 'Retry-After': '840' } },
      ),
    ),
  );
  const user = await openVisitorPage(TRACK, 'fr');
  const french = await textsIn('fr');
  await user.type(await email(french.email), 'wrong@post.example');
  await user.click(screen.getByRole('button', { name: french.trackOrder }));
  expect(await screen.findByRole('alert')).toHaveTextContent('Temps d’attente : 14 minutes');
});

test.each<[Language, string]>([
  ['en', 'You are not connected'],
  ['es', 'No tiene conexión'],
])('without a connection it says so (%s)', async (language, words) => {
  server.use(post('/api/front/track-order', () => HttpResponse.error()));
  const texts = await textsIn(language);
  const user = await openVisitorPage(TRACK, language);
  await user.type(await email(texts.email), 'w@post.example');
  await user.click(screen.getByRole('button', { name: texts.trackOrder }));
  expect(await screen.findByRole('alert')).toHaveTextContent(words);
  expect(screen.getByRole('button', { name: texts.trackOrder })).toBeEnabled();
});

test('the right email leads to the order and stays out of the URL', async () => {
  localStorage.setItem('user', 'a session of staff');
  const asked = vi.fn<(body: unknown, header?: string | null) => void>();
  server.use(
    post('/api/front/track-order', async ({ request }) => {
      asked(await request.json());
      return success({ visitorToken: 'grant' });
    }),
    post('/api/front/get-download-history', async ({ request }) => {
      asked(await request.json(), request.headers.get('Authorization'));
      return success(readyOrder());
    }),
  );
  const user = await openVisitorPage(TRACK);
  await user.clear(screen.getByRole('textbox', { name: 'Order ID' }));
  await user.type(screen.getByRole('textbox', { name: 'Order ID' }), 'vd-100001');
  await user.type(await email(), ' w@post.example {Enter}');
  expect(await screen.findByText('Your e-visa is ready')).toHaveFocus();
  expect(asked.mock.calls).toEqual([
    [{ orderId: '100001', email: 'w@post.example' }],
    [{ orderId: '100001' }, null],
  ]);
  expect(location.pathname + location.search + location.hash).toBe(DETAILS);
  expect(localStorage.getItem('user')).toBe('a session of staff');
  expect(screen.getByText('Here is your order.')).toBeVisible();
  expect(document.title).toBe('Your order · Visadesk');
});

test.each([
  [401, 'email_not_confirmed'],
  [404, 'application_not_found'],
])('a visitor without a grant is asked for the email again (%i %s)', async (status, code) => {
  server.use(post('/api/front/get-download-history', () => refusal(status, 'Confirm', code)));
  await openVisitorPage(DETAILS);
  expect(await email()).toBeVisible();
  const orderId = screen.getByRole('textbox', { name: 'Order ID' });
  await waitFor(() => expect(orderId).toHaveValue('100001'));
  expect(location.pathname).toBe(TRACK);
  expect(screen.getByRole('status')).toHaveTextContent(
    'Please confirm the email used on the application',
  );
});

test('an order that fails to load can be retried by the visitor', async () => {
  server.use(post('/api/front/get-download-history', () => refusal(503, 'Busy, try again soon')));
  const user = await openVisitorPage(DETAILS);
  expect(await screen.findByText('Busy, try again soon')).toBeVisible();
  server.use(post('/api/front/get-download-history', () => success(readyOrder())));
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Your e-visa is ready')).toBeVisible();
});

test('the order shows its stage, its applicant and its events, newest first', async () => {
  server.use(post('/api/front/get-download-history', () => success(readyOrder())));
  await openVisitorPage(DETAILS);
  expect(await screen.findByText('VD-100001')).toHaveAttribute('dir', 'ltr');
  expect(screen.getByText('Wilhelmina Okonkwo')).toBeVisible();
  const steps = within(
    screen.getByRole('heading', { name: 'What has happened so far' }).parentElement!,
  );
  expect(steps.getAllByRole('listitem').map((step) => step.firstChild?.textContent)).toEqual([
    'Ready',
    'Received',
  ]);
  expect(screen.getByText('No downloads yet')).toBeVisible();
});

test('missing documents are requested, and nothing is offered before the visa is issued', async () => {
  const order = readyOrder([], {
    stage: 'waiting_for_you',
    needs: [
      { code: 'reply', label: null },
      { code: 'document', label: 'Return ticket' },
      { code: 'document', label: null },
    ],
  });
  server.use(post('/api/front/get-download-history', () => success({ ...order, path: null })));
  await openVisitorPage(DETAILS);
  expect(await heading()).toBeVisible();
  expect(await screen.findByText('We need something from you')).toBeVisible();
  const needs = within(
    screen.getByRole('heading', { name: 'What we need from you' }).parentElement!,
  );
  expect(needs.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Please answer the message that we sent you.',
    'Please send us this document: Return ticket',
    'Please send us the document that is missing.',
  ]);
  expect(screen.queryByRole('button', { name: 'Download Now' })).toBeNull();
  expect(screen.getByText(/As soon as your e-visa is ready/)).toBeVisible();
});

test('papers, devices and countries have names in the language of the page', async () => {
  const visits = [download({ device: 'Computer', device_type: 'Desktop', location: 'Australia' })];
  const order = readyOrder(visits, {
    stage: 'waiting_for_you',
    needs: [{ code: 'document', label: 'Return or onward ticket' }],
    missing: [
      {
        kind: 'bank_statement',
        label: 'Bank statement (minimum USD 2000)',
        state: 'asked',
        faults: [],
      },
    ],
  });
  server.use(post('/api/front/get-download-history', () => success(order)));
  await openVisitorPage(DETAILS, 'ja');
  expect(await screen.findByText('復路または次の目的地への航空券')).toBeVisible();
  expect(await screen.findByText('銀行取引明細書（2000米ドル以上）')).toBeVisible();
  for (const name of ['パソコン', 'デスクトップ', 'オーストラリア']) {
    expect(await screen.findByText(name)).toBeVisible();
  }
});

test('each click downloads once, under its own key, and is added to the history', async () => {
  const opened = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
  const asked = vi.fn<(body: unknown, header?: string | null) => void>();
  const rows = [download()];
  server.use(
    post('/api/front/get-download-history', () => success(readyOrder(rows))),
    post('/api/front/download-passport-doc-pdf', async ({ request }) => {
      asked(await request.json(), request.headers.get('Idempotency-Key'));
      rows.push(download({ location: 'Japan' }));
      return success({ path: 'uploads/0123.pdf?e=1&s=2', valid_for_seconds: 300 });
    }),
  );
  const user = await openVisitorPage(DETAILS);
  const button = await screen.findByRole('button', { name: 'Download Now' });
  await user.click(button);
  expect(await screen.findByText('Japan')).toBeVisible();
  expect(screen.getByRole('link', { name: /open the e-visa here/ })).toHaveAttribute(
    'href',
    `${location.origin}/uploads/0123.pdf?e=1&s=2`,
  );
  const anchors = opened.mock.contexts as HTMLAnchorElement[];
  expect(anchors.map(({ href, download }) => [href, download])).toEqual([
    [`${location.origin}/uploads/0123.pdf?e=1&s=2`, ''],
  ]);
  await user.click(button);
  await waitFor(() => expect(asked).toHaveBeenCalledTimes(2));
  const [[body, first], [, second]] = asked.mock.calls as [[object, string], [object, string]];
  expect(body).toEqual({
    orderId: '100001',
    customername: 'customer',
    file1: 'uploads/0123456789abcdef0123456789abcdef.pdf',
  });
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  expect(second).not.toBe(first);
});

test('a link that ends is no longer offered', async () => {
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
  // A second more than the margin.
  const visa = { path: 'uploads/0123.pdf?e=1&s=2', valid_for_seconds: 31 };
  server.use(
    post('/api/front/get-download-history', () => success(readyOrder())),
    post('/api/front/download-passport-doc-pdf', () => success(visa)),
  );
  const user = await openVisitorPage(DETAILS);
  await user.click(await screen.findByRole('button', { name: 'Download Now' }));
  const link = await screen.findByRole('link', { name: /open the e-visa/ });
  await waitFor(() => expect(link).not.toBeInTheDocument(), { timeout: 5_000 });
});

test('a visa that no longer exists has its message in other languages', async () => {
  server.use(
    post('/api/front/get-download-history', () => success(readyOrder())),
    post('/api/front/download-passport-doc-pdf', () =>
      refusal(404, 'There is no such file', 'visa_not_found'),
    ),
  );
  const german = await textsIn('de');
  const user = await openVisitorPage(DETAILS, 'de');
  await user.click(await screen.findByRole('button', { name: german.downloadNow }));
  expect(await screen.findByRole('alert')).toHaveTextContent(german.noFile);
});

test('a grant that ended before the download leads back to the track page', async () => {
  server.use(
    post('/api/front/get-download-history', () => success(readyOrder())),
    post('/api/front/download-passport-doc-pdf', () =>
      refusal(401, 'Confirm', 'email_not_confirmed'),
    ),
  );
  const user = await openVisitorPage(DETAILS);
  await user.click(await screen.findByRole('button', { name: 'Download Now' }));
  expect(await email()).toBeVisible();
  expect(location.pathname).toBe(TRACK);
});

test('a row of the history has the columns of the specification', async () => {
  server.use(post('/api/front/get-download-history', () => success(readyOrder([download()]))));
  await openVisitorPage(DETAILS);
  const table = await screen.findByRole('table', { name: '1 download' });
  const heads = within(table).getAllByRole('columnheader');
  const cells = within(table).getAllByRole('cell');
  expect(
    Object.fromEntries(heads.map((head, at) => [head.textContent, cells[at]?.textContent])),
  ).toEqual({
    Number: '1',
    'Order ID': '100001',
    'Date and Time (EST)': '07/01/2026 07:00:00 EST',
    'Device IP': '203.0.113.24',
    Device: 'iPhone',
    'Device Type': 'mobile',
    Browser: 'Safari',
    OS: 'iOS',
    Location: 'Australia',
  });
  expect(screen.getByRole('link', { name: 'IP Geolocation by DB-IP' })).toHaveAttribute(
    'href',
    'https://db-ip.com',
  );
});

test('changing the language keeps the typed values and is remembered', async () => {
  const user = await openVisitorPage(TRACK);
  await user.type(await email(), 'w@post.example');
  await user.selectOptions(screen.getByRole('combobox', { name: 'Language' }), 'العربية');
  const arabic = await textsIn('ar');
  expect(await email(arabic.email)).toHaveValue('w@post.example');
  expect(screen.getByRole('button', { name: arabic.trackOrder })).toBeVisible();
  expect(document.documentElement).toHaveAttribute('lang', 'ar');
  expect(document.documentElement).toHaveAttribute('dir', 'rtl');
  expect(document.cookie).toContain('visadesk_language=ar');
  expect(location.pathname).toBe(TRACK);
});

test('there are twelve languages under their own names, and eight links to the configured site', async () => {
  await openVisitorPage(TRACK);
  const names = within(screen.getByRole('combobox')).getAllByRole('option');
  expect(names.map(({ textContent }) => textContent)).toEqual([
    'English',
    'Bahasa Indonesia',
    '简体中文',
    '繁體中文',
    'हिन्दी',
    'العربية',
    '日本語',
    '한국어',
    'Français',
    'Deutsch',
    'Español',
    'Русский',
  ]);
  const links = document.querySelectorAll<HTMLAnchorElement>('nav a');
  expect([...links].map(({ textContent }) => textContent)).toEqual([
    'Home',
    'Apply Now',
    'Additional Benefits',
    'Terms & Conditions',
    'Privacy Policy',
    'FAQ',
    'Refund Policy',
    'Contact Us',
  ]);
  for (const { href } of links) expect(href.startsWith(`${SITE}/`)).toBe(true);
});

test('the top bar shows the product, and the footer the copyright', async () => {
  await openVisitorPage(TRACK);
  expect(screen.getByRole('banner')).toHaveTextContent('Visadesk');
  expect(screen.getByRole('contentinfo')).toHaveTextContent(/^© Visadesk\. All rights reserved/);
});
