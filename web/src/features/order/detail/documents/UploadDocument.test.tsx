import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { expect, test, vi } from 'vitest';
import type { OrderDetails } from '@/api/types';
import { colleagueAt } from '@/testing/colleague';
import { closeApp } from '@/testing/openApp';
import { openOrder } from '@/testing/openOrder';
import { linkTo } from '@/testing/orderDetails';
import { post, refusal, server, success, takeUndos, undoOf } from '@/testing/server';

const UPLOAD = '/api/admin/upload-visa-document';

const form = () => within(screen.getByRole('form', { name: 'Upload Document' }));
const recipient = () => screen.getByLabelText('Email');
const picker = () => form().getByLabelText('Visa');
const button = (provider: string) =>
  form().getByRole('button', { name: `Upload and email via ${provider}` });

const visa = new File(['%PDF-1.7 …'], 'e-visa.pdf', { type: 'application/pdf' });
const issued: OrderDetails['uploadDoc'][number] = {
  file1: 'abc.pdf',
  link: linkTo('abc.pdf'),
  customer_name: 'Emily Rose Clarke',
  create_ts: '2026-11-20T02:00:00Z',
  is_withdrawn: false,
};

/** Serves uploads. Returns the fields of each, a file by its name. */
function takeUploads(): Record<string, string>[] {
  const sent: Record<string, string>[] = [];
  server.use(
    post(UPLOAD, async ({ request }) => {
      // Node's own reader of forms makes files of a kind that jsdom does not know.
      const parts = (await request.text()).matchAll(
        /name="(?<name>\w+)"(?:; filename="(?<file>[^"]+)")?\r\n(?:.+\r\n)*\r\n(?<value>.*)\r\n/g,
      );
      const fields = [...parts].map(({ groups = {} }) => [
        groups['name'],
        groups['file'] ?? groups['value'],
      ]);
      sent.push(Object.fromEntries(fields) as Record<string, string>);
      return success({}, 'The visa has been stored, and its mail to emily is queued');
    }),
  );
  return sent;
}

test.each([
  ['AWS', 'AWS'],
  ['SendGrid', 'Sendgrid'],
])('a visa is uploaded to be mailed via %s', async (name, provider) => {
  const sent = takeUploads();
  const user = await openOrder(() => (sent.length > 0 ? { uploadDoc: [issued] } : {}));
  expect(form().getByLabelText('Order Id')).toHaveValue('100234');
  expect(form().getByLabelText('Order Id')).toHaveAttribute('readonly');
  expect(picker()).toHaveAttribute('accept', 'application/pdf,image/*');
  await user.upload(picker(), visa);
  expect(form().getByText('e-visa.pdf')).toBeVisible();
  await user.click(button(name));
  expect(await screen.findByText(/The visa has been stored/)).toBeVisible();
  expect(sent).toMatchObject([
    {
      orderId: '100234',
      email: 'emily.clarke@post.example',
      mailServiceProvider: provider,
      uploadVisaDoc: 'e-visa.pdf',
    },
  ]);
  await waitFor(() => expect(form().queryByText('e-visa.pdf')).toBeNull());
  expect(await form().findByRole('link', { name: 'Emily Rose Clarke' })).toHaveAttribute(
    'href',
    `${location.origin}/${linkTo('abc.pdf')}`,
  );
});

test('Enter in the form means AWS', async () => {
  const sent = takeUploads();
  const user = await openOrder();
  await user.upload(picker(), visa);
  await user.type(form().getByLabelText('Order Id'), '{Enter}');
  await waitFor(() => expect(sent).toMatchObject([{ mailServiceProvider: 'AWS' }]));
});

test('without a file and an email nothing is sent, and the file has the focus', async () => {
  const sent = takeUploads();
  const user = await openOrder();
  await user.clear(recipient());
  await user.click(button('AWS'));
  expect(await form().findByText('File is required')).toBeVisible();
  expect(await screen.findByText('Please enter your email')).toBeVisible();
  await waitFor(() => expect(picker()).toHaveFocus());
  expect(sent).toEqual([]);
});

test('a file that the server would refuse is refused as soon as it is dropped', async () => {
  await openOrder();
  const heic = new File(['…'], 'photo.heic', { type: 'image/heic' });
  fireEvent.drop(picker().parentElement!, { dataTransfer: { files: [heic] } });
  expect(await form().findByText('Only PDF or image files are allowed')).toBeVisible();
  fireEvent.drop(picker().parentElement!, { dataTransfer: { files: [visa] } });
  await waitFor(() => expect(form().queryByText('Only PDF or image files are allowed')).toBeNull());
});

test('a refused upload shows the reason, keeps the file, and is retried under the same key', async () => {
  const keys: unknown[] = [];
  server.use(
    post(UPLOAD, ({ request }) => {
      keys.push(request.headers.get('Idempotency-Key'));
      return keys.length === 1 ? HttpResponse.error() : refusal(415, 'The PDF holds a script');
    }),
  );
  const user = await openOrder();
  await user.upload(picker(), visa);
  await user.click(button('AWS'));
  expect(await screen.findByText(/The server cannot be reached/)).toBeVisible();
  await user.click(await form().findByRole('button', { name: 'Upload and email via AWS' }));
  expect(await screen.findByText('The PDF holds a script')).toBeVisible();
  expect(form().getByText('e-visa.pdf')).toBeVisible();
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(keys[1]).toBe(keys[0]);
});

test('a session that ends during the upload leads to the sign-in, and loses nothing', async () => {
  const sent = takeUploads();
  server.use(post(UPLOAD, () => refusal(401, 'Please sign in again'), { once: true }));
  const user = await openOrder();
  await user.clear(recipient());
  await user.type(recipient(), 'sister@post.example');
  await user.upload(picker(), visa);
  await user.click(button('AWS'));
  expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeVisible();

  closeApp();
  await openOrder();
  expect(recipient()).toHaveValue('sister@post.example');
  expect(form().getByText('e-visa.pdf')).toBeVisible();
  await user.click(button('AWS'));
  await waitFor(() =>
    expect(sent).toMatchObject([{ email: 'sister@post.example', uploadVisaDoc: 'e-visa.pdf' }]),
  );
  await waitFor(() => expect(form().queryByText('e-visa.pdf')).toBeNull());

  closeApp();
  await openOrder();
  expect(recipient()).toHaveValue('emily.clarke@post.example');
  expect(form().queryByText('e-visa.pdf')).toBeNull();
});

test('an order that is opened again while its visa is sent does not offer the file once more', async () => {
  const answered = new AbortController();
  server.use(
    post(UPLOAD, async () => {
      await new Promise((done) => answered.signal.addEventListener('abort', done));
      return success({ message: 'Uploaded' });
    }),
  );
  const user = await openOrder();
  await user.upload(picker(), visa);
  await user.click(button('AWS'));
  await waitFor(() => expect(form().queryByText('e-visa.pdf')).toBeVisible());
  // The pressed button is gone: the keyboard is where the upload can be stopped.
  expect(form().getByRole('button', { name: 'Cancel' })).toHaveFocus();

  closeApp();
  await openOrder();
  expect(form().queryByText('e-visa.pdf')).toBeNull();
  answered.abort();
});

const differs = {
  document_id: 7,
  outcome: 'differs' as const,
  fields: ['document_number' as const],
  said: 'the passport number of the order is not on it',
  is_open: true,
  is_being_read: false,
  is_waiting: false,
};

test('a visa that differs is told at once, and stays marked until a member has looked', async () => {
  const looked: unknown[] = [];
  let check: OrderDetails['uploadDoc'][number]['check'] = differs;
  server.use(
    post(UPLOAD, () => success({ data: differs }, 'The visa has been stored')),
    post('/api/admin/look-at-visa', async ({ request }) => {
      looked.push(await request.json());
      check = { ...differs, is_open: false };
      return success({}, 'Noted');
    }),
  );
  const user = await openOrder(() => ({ uploadDoc: [{ ...issued, check }] }));
  await user.upload(picker(), visa);
  await user.click(button('AWS'));
  expect(
    await screen.findByText(
      'Please check this visa: the passport number of the order is not on it.',
    ),
  ).toBeVisible();
  const issuedVisas = within(form().getByRole('list', { name: 'Issued visas' }));
  expect(issuedVisas.getByText('Check')).toBeVisible();
  await user.click(issuedVisas.getByRole('button', { name: 'Confirm this visa' }));
  await waitFor(() => expect(issuedVisas.queryByText('Check')).toBeNull());
  expect(issuedVisas.getByText(/The passport number of the order is not on it/)).toBeVisible();
  expect(looked).toEqual([{ orderId: 100234, document_id: 7 }]);
});

test('a delivery of a visa that differs is undone from its toast while its mail waits', async () => {
  const undone = takeUndos('Undone: the visa is withdrawn');
  server.use(
    post(UPLOAD, () => success({ ...undoOf(4711), data: differs }, 'The visa has been stored')),
  );
  const user = await openOrder(() => ({
    uploadDoc: [{ ...issued, is_withdrawn: undone.length > 0, check: null }],
  }));
  await user.upload(picker(), visa);
  await user.click(button('AWS'));
  const warning = (await screen.findByText(/Please check this visa/)).closest<HTMLElement>(
    '[role="alert"]',
  );
  await user.click(within(warning!).getByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('Undone: the visa is withdrawn')).toBeVisible();
  expect(undone).toEqual([4711]);
  expect(await form().findByText('Withdrawn before its email was sent')).toBeVisible();
});

test('the offer to undo a delivery ends with the time in which its mail waits', async () => {
  // Frames are not faked: the clock of the page would stay ahead for the tests behind this one.
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  const soon = undoOf(4711, 5);
  server.use(post(UPLOAD, () => success({ ...soon, data: differs }, 'The visa has been stored')));
  const user = await openOrder();
  await user.upload(picker(), visa);
  await user.click(button('AWS'));
  const warning = await screen.findByText(/Please check this visa/);
  expect(screen.getByRole('button', { name: 'Undo' })).toBeVisible();
  await act(() => vi.advanceTimersByTimeAsync(5 * 60_000));
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  expect(warning).toBeVisible();
  vi.useRealTimers();
});

test('a visa that is being read shows what was found once it is read', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 500 });
  let loads = 0;
  await openOrder(() => {
    loads += 1;
    const isRead = loads > 1;
    const said = isRead ? 'the values of the order are on it' : 'the visa is being read';
    const check = { ...differs, is_open: false, is_being_read: !isRead, said };
    return { uploadDoc: [{ ...issued, check }] };
  });
  expect(form().getByText('The visa is being read.')).toBeVisible();
  expect(await form().findByText('The values of the order are on it.')).toBeVisible();
  vi.useRealTimers();
});

const refusedText = 'Nothing was stored: this file is the visa of order VD-100001 (Ann Lee)';

/** Serves uploads of which the first is refused, as another order's. Returns the reason of each. */
function refuseOnce(): string[] {
  const reasons: string[] = [];
  server.use(
    post(UPLOAD, async ({ request }) => {
      const reason = /name="reason"\r\n\r\n(?<reason>.*)\r\n/.exec(await request.text());
      reasons.push(reason?.groups?.['reason'] ?? '');
      return reasons.length === 1
        ? HttpResponse.json(
            { status: 0, code: 'visa_differs', message: refusedText },
            { status: 409 },
          )
        : success({}, 'The visa has been stored');
    }),
  );
  return reasons;
}

test('the visa of another order is sent with a reason only', async () => {
  const reasons = refuseOnce();
  const user = await openOrder();
  await user.upload(picker(), visa);
  await user.click(button('AWS'));
  const dialog = await screen.findByRole('dialog', { name: 'This may be another person’s visa' });
  expect(within(dialog).getByRole('alert')).toHaveTextContent(refusedText);
  expect(within(dialog).getByRole('button', { name: 'Choose another file' })).toHaveFocus();
  await user.click(within(dialog).getByRole('button', { name: 'Send anyway' }));
  expect(within(dialog).getByText(/Please enter the reason/)).toBeVisible();
  await user.type(within(dialog).getByLabelText('Reason'), 'They travel together');
  await user.click(within(dialog).getByRole('button', { name: 'Send anyway' }));
  expect(await screen.findByText('The visa has been stored')).toBeVisible();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(reasons).toEqual(['', 'They travel together']);
});

test('another file is chosen instead of the visa of another order', async () => {
  const reasons = refuseOnce();
  const user = await openOrder();
  await user.upload(picker(), visa);
  await user.click(button('AWS'));
  await user.click(await screen.findByRole('button', { name: 'Choose another file' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(form().queryByText('e-visa.pdf')).toBeNull();
  await user.upload(picker(), new File(['%PDF-1.7'], 'right.pdf', { type: 'application/pdf' }));
  await user.click(button('AWS'));
  expect(await screen.findByText('The visa has been stored')).toBeVisible();
  expect(reasons).toEqual(['', '']);
});

test.each([
  ['Deliver', { decision: 'deliver', reason: 'A new passport' }],
  ['Withdraw', { decision: 'withdraw', reason: null }],
])('a visa that waits: %s', async (name, expected) => {
  const decided: unknown[] = [];
  server.use(
    post('/api/admin/decide-visa', async ({ request }) => {
      decided.push(await request.json());
      return success({}, 'Decided');
    }),
  );
  const check = { ...differs, is_waiting: true };
  const user = await openOrder(() => ({ uploadDoc: [{ ...issued, check }] }));
  expect(form().getByText('Not delivered yet')).toBeVisible();
  expect(form().queryByRole('button', { name: 'Confirm this visa' })).toBeNull();
  await user.click(form().getByRole('button', { name }));
  if (name === 'Deliver') {
    const dialog = await screen.findByRole('dialog', { name: 'Deliver this visa' });
    await user.type(within(dialog).getByLabelText('Reason'), 'A new passport');
    await user.click(within(dialog).getByRole('button', { name: 'Send anyway' }));
  }
  expect(await screen.findByText('Decided')).toBeVisible();
  expect(decided).toEqual([{ orderId: 100234, document_id: 7, ...expected }]);
});

test('delivering a waiting visa asks first if a colleague has begun to, and colleagues see the decision being made', async () => {
  const { begin, told } = colleagueAt(100234, 'delivering');
  server.use(post('/api/admin/decide-visa', () => success({}, 'Decided')));
  const check = { ...differs, is_waiting: true };
  const user = await openOrder(() => ({ uploadDoc: [{ ...issued, check }] }));
  begin();
  const deliver = () => user.click(form().getByRole('button', { name: 'Deliver' }));
  await deliver();
  const beside = { name: 'Sari Dewi is delivering a visa of order 100234' };
  const question = within(await screen.findByRole('dialog', beside));
  await user.click(question.getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(told).not.toContain('delivering');
  await deliver();
  await user.click(await screen.findByRole('button', { name: 'Deliver anyway' }));
  const reason = await screen.findByRole('dialog', { name: 'Deliver this visa' });
  await waitFor(() => expect(told.at(-1)).toBe('delivering'));
  await user.type(within(reason).getByLabelText('Reason'), 'A new passport');
  await user.click(within(reason).getByRole('button', { name: 'Send anyway' }));
  expect(await screen.findByText('Decided')).toBeVisible();
  await waitFor(() => expect(told.at(-1)).toBe('viewing'));
});

test('the key v opens the choice of a file', async () => {
  const user = await openOrder();
  const clicked = vi.spyOn(HTMLInputElement.prototype, 'click').mockReturnValue();
  await user.keyboard('v');
  expect(clicked.mock.contexts).toEqual([picker()]);
  expect(picker()).toHaveFocus();
});
