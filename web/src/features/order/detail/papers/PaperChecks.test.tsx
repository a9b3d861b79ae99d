import { screen, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { OrderDetails, PaperCheck, PaperFinding } from '@/api/types';
import { paths } from '@/paths/staffPaths';
import { openApp } from '@/testing/openApp';
import { openOrder } from '@/testing/openOrder';
import { answerDetails, detailsOf, storedFile } from '@/testing/orderDetails';
import {
  get,
  member,
  orderPapers,
  post,
  put,
  refusal,
  server,
  signedInAs,
  success,
} from '@/testing/server';

const CALL = '/api/admin/order-papers/:orderId';

const finding = (fields: Partial<PaperFinding>): PaperFinding => ({
  field: 'surname',
  label: 'Surname',
  typed: 'Clarke',
  read: 'CLARKE',
  finding: 'same',
  note: null,
  verdict: null,
  values_hash: 'values',
  ...fields,
});

const check = (fields: Partial<PaperCheck> = {}): PaperCheck => ({
  document_id: 7,
  paper: 'passport',
  state: 'done',
  reason: null,
  reason_text: null,
  checked_at: '2026-11-20T00:20:31Z',
  read_from: 'tesseract',
  lines: ['P<AUSCLARKE<<EMILY', null],
  crop: 'data:image/jpeg;base64,AAAA',
  findings: [finding({})],
  open: 0,
  ...fields,
});

const card = async () => within(await screen.findByRole('region', { name: 'Passport check' }));

/** Shows all of the result, of which the card says two lines. */
async function show(user: UserEvent, title = 'Passport check'): Promise<void> {
  const region = within(await screen.findByRole('region', { name: title }));
  await user.click(await region.findByText('show'));
}

async function openWith(checks: () => PaperCheck[], fields: Partial<OrderDetails> = {}) {
  signedInAs(member());
  answerDetails(() =>
    detailsOf(100234, { documents: [storedFile('passport_picture')], ...fields }),
  );
  server.use(get(CALL, () => success({ data: orderPapers(checks()) })));
  return openApp(paths.viewOrder(100234));
}

test('each field stands beside what the passport says, with the lines and their picture', async () => {
  const user = await openWith(() => [
    check({
      findings: [
        finding({}),
        finding({
          field: 'date_of_birth',
          label: 'Date of birth',
          typed: '1990-04-12',
          read: null,
          finding: 'not_readable',
        }),
      ],
    }),
  ]);
  await show(user);
  const row = within(await (await card()).findByRole('row', { name: /Surname/ }));
  expect(row.getByText('CLARKE')).toBeVisible();
  expect(row.getByText('same')).toBeVisible();
  expect(
    (await card()).getByRole('row', { name: 'Date of birth 12-04-1990 – not readable' }),
  ).toBeVisible();
  expect((await card()).getByText(/\(not readable\)/)).toBeVisible();
  expect((await card()).getByRole('img', { name: /machine-readable lines/ })).toHaveAttribute(
    'src',
    'data:image/jpeg;base64,AAAA',
  );
  expect((await card()).getByText(/20-11-2026 07:20:31 WIB, by text recognition/)).toBeVisible();
});

test('lines that could not be read are shown for a member to read', async () => {
  const unread = { typed: 'CLARKE', read: null, finding: 'not_readable' } as const;
  const user = await openWith(() => [check({ findings: [finding(unread)], lines: [null, null] })]);
  expect(await (await card()).findByText('1 not readable')).toBeVisible();
  await show(user);
  expect((await card()).getByRole('img', { name: /machine-readable lines/ })).toBeVisible();
  expect((await card()).getByText(/^The lines could not be read\./)).toBeVisible();
});

test('one click says that a finding was looked at', async () => {
  const sent: unknown[] = [];
  let looked = false;
  const open = () => [
    finding({ finding: 'differs', typed: 'Clark', verdict: looked ? 'keep_typed' : null }),
    finding({
      field: 'document_number',
      label: 'Number',
      finding: 'look',
      note: 'B and L are easily confused here. Compare with the passport',
    }),
  ];
  const user = await openWith(() => [check({ findings: open() })]);
  server.use(
    post('/api/admin/look-at-finding', async ({ request }) => {
      sent.push(await request.json());
      looked = true;
      return success({ message: 'Surname has been checked' });
    }),
  );
  expect(await (await card()).findByText('1 differs · 1 to check')).toBeVisible();
  await show(user);
  expect(
    (await card()).queryByRole('button', { name: 'Surname: Matches the passport' }),
  ).toBeNull();
  expect(
    (await card()).getByRole('button', { name: 'Number: Matches the passport' }),
  ).toBeVisible();
  await user.click((await card()).getByRole('button', { name: 'Surname: Keep as typed' }));
  expect(await (await card()).findByText('kept as typed')).toBeVisible();
  expect(sent).toEqual([
    {
      orderId: 100234,
      documentId: 7,
      field: 'surname',
      valuesHash: 'values',
      verdict: 'keep_typed',
    },
  ]);
});

test('a passport that was not checked says why, and can be checked again', async () => {
  let state: Partial<PaperCheck> = {
    state: 'not_checked',
    reason: 'no_tesseract',
    reason_text: 'tesseract is not installed on the server',
  };
  const user = await openWith(() => [check({ findings: [], lines: [], crop: null, ...state })]);
  server.use(
    post('/api/admin/check-papers', () => {
      state = { state: 'pending' };
      return success({ message: 'The papers are being checked' });
    }),
  );
  expect(await (await card()).findByText('Not checked')).toBeVisible();
  await show(user);
  expect(
    await (await card()).findByText('Not checked: tesseract is not installed on the server.'),
  ).toBeVisible();
  await user.click((await card()).getByRole('button', { name: 'Check the passport' }));
  expect(await (await card()).findByText('Being checked…')).toBeVisible();
  expect((await card()).queryByText('show')).toBeNull();
});

test('a photograph stands beside the limits of the portal, with their day and source', async () => {
  signedInAs(member());
  answerDetails(() => detailsOf(100234, { documents: [storedFile('upload_picture')] }));
  const findings = [
    finding({
      field: 'pixels',
      label: 'Pixels',
      typed: 'at least 400 × 600',
      read: '360 × 540',
      finding: 'differs',
    }),
    finding({
      field: 'sharpness',
      label: 'Sharpness',
      typed: 'blurred ones are refused',
      read: 'soft',
      finding: 'look',
    }),
  ];
  const limits = { as_of: '2026-11-21', source: 'Antara Banten' };
  const photograph = check({ paper: 'photograph', findings, limits, lines: [], crop: null });
  server.use(get(CALL, () => success({ data: orderPapers([photograph]) })));
  const user = await openApp(paths.viewOrder(100234));
  const card = within(await screen.findByRole('region', { name: 'Photo check' }));
  expect(await card.findByText('1 not allowed · 1 to check')).toBeVisible();
  await show(user, 'Photo check');
  expect(card.getByRole('button', { name: 'Pixels: I know' })).toBeVisible();
  expect(card.getByRole('button', { name: 'Sharpness: It is fine' })).toBeVisible();
  expect(card.queryByRole('button', { name: 'Sharpness: I know' })).toBeNull();
  expect(card.getByText(/limits as of 21-11-2026 \(Antara Banten\)/)).toBeVisible();
});

test('checks that cannot be loaded say why, and are loaded on demand', async () => {
  signedInAs(member());
  answerDetails(() => detailsOf(100234, { documents: [storedFile('passport_picture')] }));
  server.use(get(CALL, () => refusal(500, 'The server failed.')));
  const user = await openApp(paths.viewOrder(100234));
  expect(await (await card()).findByText('Couldn’t load the checks')).toBeVisible();
  await show(user);
  expect((await card()).getByText('The server failed.')).toBeVisible();
  server.use(get(CALL, () => success({ data: orderPapers([check()]) })));
  await user.click((await card()).getByRole('button', { name: 'Try again' }));
  expect(await (await card()).findByText('1 same')).toBeVisible();
});

test('an order without a passport has no card', async () => {
  await openOrder({ documents: [storedFile('bank_statement')] });
  expect(screen.queryByRole('region', { name: 'Passport check' })).toBeNull();
});

test('a member takes over what the passport says with one click', async () => {
  const sent: unknown[] = [];
  server.use(
    put('/api/admin/correct-order', async ({ request }) => {
      sent.push(await request.json());
      return success({}, '2 fields were corrected');
    }),
  );
  const differs = finding({ read: 'CLARK', finding: 'differs', typed: 'Clarke' });
  const names = { first_name: 'Emily', middle_name: 'Rose', last_name: 'Clarke' };
  const user = await openWith(() => [check({ findings: [differs], open: 1 })], names);
  await show(user);
  await user.click(await (await card()).findByRole('button', { name: 'Surname: use CLARK' }));
  expect(await screen.findByText('2 fields were corrected')).toBeVisible();
  expect(sent).toEqual([
    {
      orderId: 100234,
      fields: {
        last_name: { before: 'Clarke', after: 'CLARK' },
        full_name: { before: 'emily_rose_clarke', after: 'Emily Rose CLARK' },
      },
    },
  ]);
});
