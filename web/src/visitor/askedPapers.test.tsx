import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import type { AskedPapers } from '@/api/visitorCalls';
import { paperTextsIn } from '@/features/visitor/papers/paperTexts';
import type { Language } from '@/i18n/languages';
import { textsIn } from '@/i18n/texts';
import { post, refusal, server, success } from '@/testing/server';
import { openVisitorPage, readyOrder } from '@/testing/visitor';

const DETAILS = '/get-new-order-details/MjAwMDAy';
const PASSPORT = 'Passport, the page with your photo';

type Item = AskedPapers['items'][number];

const passport = (fields: Partial<Item> = {}): Item => ({
  kind: 'passport',
  label: 'Passport',
  reason: 'The bottom lines of the passport are cut off.',
  state: 'asked',
  faults: [],
  ...fields,
});
const photograph = (fields: Partial<Item> = {}) =>
  passport({
    kind: 'recent_photo',
    label: 'Recent photograph',
    reason: 'The background is not plain.',
    ...fields,
  });

const missing = (state: Item['state']) => ({
  kind: 'bank_statement',
  label: 'Bank statement',
  state,
  faults: [],
});

const picture = new File(['JFIF'], 'IMG_0001.jpg', { type: 'image/jpeg' });

/** The order while it waits for papers. `set` is what the next answer asks for; null: everything is there. */
function serveOrder(items: Item[], language: Language = 'en') {
  const state: { asked: AskedPapers | null; isComplete: boolean } = {
    asked: { language, items },
    isComplete: false,
  };
  server.use(
    post('/api/front/get-download-history', () =>
      success({
        ...readyOrder([], {
          stage: 'waiting_for_you',
          needs: state.asked ? [{ code: 'document', label: 'Passport' }] : [],
          asked: state.asked,
          papers_complete: state.isComplete,
        }),
        path: null,
      }),
    ),
  );
  return (items: Item[] | null | 'withdrawn') => {
    state.asked = Array.isArray(items) ? { language, items } : null;
    state.isComplete = items === null;
  };
}

/** Serves uploads with `respond`. Returns what each is sent with. */
function takeUploads(respond: (count: number) => Response) {
  const sent: { key: string | null; fields: (string | undefined)[] }[] = [];
  server.use(
    post('/api/front/upload-paper', async ({ request }) => {
      const key = request.headers.get('Idempotency-Key');
      const names = (await request.text()).matchAll(
        /name="(?<name>\w+)"(?:; filename="(?<file>[^"]+)")?\r\n(?:.+\r\n)*\r\n(?<value>.*)\r\n/g,
      );
      const fields = [...names].map(
        ({ groups = {} }) => `${groups['name']}: ${groups['file'] ?? groups['value']}`,
      );
      sent.push({ key, fields });
      return respond(sent.length);
    }),
  );
  return sent;
}

const card = (name = PASSPORT) => screen.findByRole('article', { name });

/** Chooses a file, as the picker behind a button would. */
async function choose(file: File, name = PASSPORT) {
  const input = (await card(name)).querySelector('input:not([capture])');
  fireEvent.change(input!, { target: { files: [file] } });
}

beforeEach(() => {
  document.cookie = 'visadesk_language=; Max-Age=0; Path=/';
  document.documentElement.lang = 'en';
});

test('each paper has its reason, a way to take it and a camera, in place of the bare list', async () => {
  serveOrder([
    passport(),
    photograph({ state: 'in' }),
    passport({ kind: 'bank_statement', label: 'Bank statement', reason: 'Not received yet.' }),
  ]);
  await openVisitorPage(DETAILS);
  const first = within(await card());
  expect(first.getByText('The bottom lines of the passport are cut off.')).toBeVisible();
  expect(first.getByText(/Lay the passport flat/)).toHaveTextContent('the two lines with <<< must');
  expect(first.getByText('JPEG, PNG or PDF, up to 20 MB')).toBeVisible();
  const inputs = [...document.querySelectorAll('input[type=file]')].map((input) => [
    input.getAttribute('accept'),
    input.getAttribute('capture'),
  ]);
  const accepted = 'image/jpeg,image/png,application/pdf';
  expect(inputs).toEqual([
    [accepted, 'environment'],
    [accepted, null],
    [accepted, 'environment'],
    [accepted, null],
  ]);
  expect(within(await card('Photograph')).getByText('Received')).toBeVisible();
  expect(within(await card('Photograph')).queryByRole('button')).toBeNull();
  expect(screen.getByText('Bank statement')).toHaveAttribute('lang', 'en');
  expect(screen.queryByText(/Please send us this document/)).toBeNull();
});

test('a reason keeps the language of its mail, in a page of another one', async () => {
  serveOrder([passport({ reason: 'انتهت صلاحيته.' })], 'ar');
  const german = await paperTextsIn('de');
  await openVisitorPage(DETAILS, 'de');
  const reason = within(await card(german.passport)).getByText('انتهت صلاحيته.');
  expect(reason).toHaveAttribute('lang', 'ar');
  expect(reason).toHaveAttribute('dir', 'rtl');
});

test('a picture is sent, checked, taken again, and thanked for', async () => {
  const set = serveOrder([passport(), photograph()]);
  const sent = takeUploads((count) => {
    set([passport({ state: 'checking' }), photograph(count === 3 ? { state: 'in' } : {})]);
    if (count === 2) set([passport({ state: 'in' }), photograph()]);
    if (count === 3) set(null);
    return success({});
  });
  await openVisitorPage(DETAILS);
  await choose(picture);
  expect(await within(await card()).findByText('We are checking it…')).toBeVisible();
  expect(within(await card()).queryByRole('button')).toBeNull();
  set([passport({ state: 'look', faults: ['lines_not_found', 'blurred'] }), photograph()]);
  const fault = 'The bottom lines of the passport are cut off or cannot be read.';
  expect(await screen.findByText(fault)).toBeVisible();
  expect(screen.getByText('The picture is not sharp.')).toBeVisible();
  expect(screen.getByText(fault).closest('[role=status]')).not.toBeNull();
  expect(screen.getByRole('button', { name: 'Take the picture again' })).toBeVisible();
  await choose(picture);
  expect(await within(await card()).findByText('Received')).toBeVisible();
  await choose(picture, 'Photograph');
  expect(await screen.findByText(/^Thank you\. Everything is here/)).toBeVisible();
  expect(screen.queryByRole('article')).toBeNull();
  expect(sent.map(({ fields }) => fields)).toEqual([
    ['orderId: 100001', 'kind: passport', 'file: IMG_0001.jpg'],
    ['orderId: 100001', 'kind: passport', 'file: IMG_0001.jpg'],
    ['orderId: 100001', 'kind: recent_photo', 'file: IMG_0001.jpg'],
  ]);
  expect(new Set(sent.map(({ key }) => key)).size).toBe(3);
});

const serveBoth = (asked: AskedPapers | null) =>
  server.use(
    post('/api/front/get-download-history', () => {
      const rest = { asked, papers_complete: asked === null, missing: [missing('asked')] };
      return success({ ...readyOrder([], { stage: 'received', ...rest }), path: null });
    }),
  );

test('after the last requested paper, a missing one keeps its card and nothing is called complete', async () => {
  serveBoth({ language: 'en', items: [passport()] });
  takeUploads(() => {
    serveBoth(null);
    return success({});
  });
  await openVisitorPage(DETAILS);
  await choose(picture);
  expect(await screen.findByText('Received')).toBeVisible();
  expect(screen.queryByText(/^Thank you/)).toBeNull();
  expect(await card('Bank statement')).toBeVisible();
});

test('a paper with faults is sent all the same', async () => {
  const asked: unknown[] = [];
  const set = serveOrder([photograph({ state: 'look', faults: ['background_uneven'] })]);
  server.use(
    post('/api/front/send-paper-anyway', async ({ request }) => {
      asked.push(await request.json());
      set(null);
      return success({});
    }),
  );
  const user = await openVisitorPage(DETAILS);
  await user.click(await screen.findByRole('button', { name: 'Send anyway' }));
  expect(await screen.findByText(/^Thank you\. Everything is here/)).toBeVisible();
  expect(asked).toEqual([{ orderId: '100001', kind: 'recent_photo' }]);
  expect(screen.getByRole('region', { name: 'What we need from you' })).toHaveFocus();
});

const serveMissing = (state: Item['state']) =>
  server.use(
    post('/api/front/get-download-history', () =>
      success({
        ...readyOrder([], {
          stage: 'received',
          needs: [
            { code: 'document', label: 'Bank statement' },
            { code: 'document', label: 'Travel ticket' },
          ],
          missing: [missing(state)],
        }),
        path: null,
      }),
    ),
  );

test('a paper that is missing has a card, and is no line of the list', async () => {
  serveMissing('asked');
  const sent = takeUploads(() => {
    serveMissing('in');
    return success({});
  });
  await openVisitorPage(DETAILS);
  expect(await card('Bank statement')).toHaveTextContent('JPEG, PNG or PDF, up to 20 MB');
  const lines = screen.getAllByText(/Please send us this document/);
  expect(lines.map((line) => line.textContent)).toEqual([
    'Please send us this document: Travel ticket',
  ]);
  await choose(picture, 'Bank statement');
  expect(await within(await card('Bank statement')).findByText('Received')).toBeVisible();
  expect(sent[0]?.fields).toContain('kind: bank_statement');
  expect(screen.queryByText(/^Thank you/)).toBeNull();
});

test('a request that staff took back is not thanked for as if everything were there', async () => {
  const set = serveOrder([passport()]);
  takeUploads(() => {
    set('withdrawn');
    return refusal(409, 'Words in English', 'paper_not_asked_for');
  });
  await openVisitorPage(DETAILS);
  await choose(picture);
  expect(await screen.findByText('We no longer need this. Thank you.')).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('article')).toBeNull());
  expect(screen.getByText('We no longer need this. Thank you.')).toBeVisible();
  expect(screen.queryByText(/Everything is here/)).toBeNull();
});

test('after a lost connection the same file is sent again under the same key', async () => {
  const set = serveOrder([passport()]);
  const sent = takeUploads((count) => {
    if (count === 1) return HttpResponse.error();
    set([passport({ state: 'in' }), photograph()]);
    return success({});
  });
  const user = await openVisitorPage(DETAILS);
  await choose(picture);
  expect(await screen.findByText(/You are not connected/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await within(await card()).findByText('Received')).toBeVisible();
  expect(sent).toHaveLength(2);
  expect(sent[0]?.key).toMatch(/^[0-9a-f]{32}$/);
  expect(sent[1]).toEqual(sent[0]);
});

test('an upload that is cancelled leaves the paper as it was', async () => {
  serveOrder([passport()]);
  server.use(post('/api/front/upload-paper', () => new Promise<never>(() => {})));
  const user = await openVisitorPage(DETAILS);
  await choose(picture);
  expect(await screen.findByRole('progressbar', { name: PASSPORT })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(await screen.findByRole('button', { name: 'Take a picture' })).toBeVisible();
  expect(screen.getByRole('alert')).toBeEmptyDOMElement();
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  expect(screen.getByText(passport().reason)).toBeVisible();
});

test.each([
  ['too large', new File([new Uint8Array(20 * 1024 * 1024 + 1)], 'a.jpg'), /larger than 20 MB/],
  ['of another kind', new File(['heic'], 'a.heic', { type: 'image/heic' }), /Only JPEG, PNG and/],
])('a file that is %s is refused before it is sent', async (_, file, words) => {
  serveOrder([passport()]);
  const sent = takeUploads(() => success({}));
  await openVisitorPage(DETAILS);
  await choose(file);
  expect(await screen.findByText(words)).toHaveAttribute('role', 'alert');
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  await choose(picture);
  await waitFor(() => expect(sent).toHaveLength(1));
  await waitFor(() => expect(screen.queryByText(words)).toBeNull());
});

test.each([
  ['file_too_large', 413, 'tooLarge'],
  ['not_pdf_or_image', 415, 'wrongFile'],
  ['heic_photo', 415, 'wrongFile'],
  ['unsupported_picture', 415, 'wrongFile'],
  ['damaged_picture', 422, 'damagedFile'],
  ['empty_file', 422, 'damagedFile'],
  ['paper_not_asked_for', 422, 'notAskedFor'],
  ['too_many_uploads', 422, 'tooManyUploads'],
] as const)('the refusal %s is explained in the page’s language', async (code, status, name) => {
  serveOrder([passport()]);
  takeUploads(() => refusal(status, 'Words in English', code));
  const german = await paperTextsIn('de');
  await openVisitorPage(DETAILS, 'de');
  await choose(picture, german.passport);
  expect(await screen.findByText(german[name].replace('{size}', '20 MB'))).toBeVisible();
  expect(screen.queryByText('Words in English')).toBeNull();
});

test('an ended grant leads to the email', async () => {
  serveOrder([passport()]);
  takeUploads(() => refusal(401, 'Please confirm the email', 'email_not_confirmed'));
  await openVisitorPage(DETAILS);
  await choose(picture);
  await waitFor(() => expect(location.pathname).toBe('/track-order/MjAwMDAy'));
});

test('the language changes in place and keeps what is being sent', async () => {
  serveOrder([passport()]);
  server.use(post('/api/front/upload-paper', () => new Promise<never>(() => {})));
  const user = await openVisitorPage(DETAILS);
  await choose(picture);
  expect(await screen.findByText('Sending…')).toBeVisible();
  await user.selectOptions(screen.getByRole('combobox', { name: 'Language' }), '日本語');
  const japanese = await paperTextsIn('ja');
  expect(await screen.findByText(japanese.sending)).toBeVisible();
  const { needs } = await textsIn('ja');
  expect(screen.getByRole('region', { name: needs })).toBeVisible();
  await user.click(screen.getByRole('button', { name: japanese.cancel }));
});
