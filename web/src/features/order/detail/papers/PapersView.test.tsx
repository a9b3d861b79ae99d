import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { DeskPaper, PaperReason, SetPaperState } from '@/api/types';
import { paths } from '@/paths/staffPaths';
import { openApp } from '@/testing/openApp';
import { answerDetails, detailsOf, linkTo, storedFile } from '@/testing/orderDetails';
import { get, member, orderPapers, post, server, signedInAs, success } from '@/testing/server';

const paper = (kind: string, fields: Partial<DeskPaper> = {}): DeskPaper => ({
  kind,
  label: kind === 'passport' ? 'Passport' : 'Bank statement',
  is_required: true,
  state: 'received',
  document_id: 7,
  ...fields,
});

const BLURRED: PaperReason = {
  code: 'blurred',
  state: 'unreadable',
  kinds: [],
  texts: { en: 'The picture is blurred.' },
  is_built_in: true,
  is_own: false,
  is_archived: false,
};

const issued = {
  file1: 'visa.pdf',
  link: linkTo('visa.pdf'),
  customer_name: 'Emily Rose Clarke',
  create_ts: '2026-11-20T02:00:00Z',
  is_withdrawn: false,
};

/** Opens the papers of an order with two passports, a photograph that no paper asks for, and an issued visa. */
async function openPapers(papers: DeskPaper[]) {
  signedInAs(member());
  const files = [
    storedFile('passport_picture', { file1: 'old.jpg', link: linkTo('old.jpg') }),
    storedFile('passport_picture', { file1: 'new.jpg', link: linkTo('new.jpg') }),
    storedFile('selfie', { file1: 'selfie.jpg', label: 'Selfie', link: linkTo('selfie.jpg') }),
  ];
  answerDetails(() => detailsOf(100234, { documents: files, uploadDoc: [issued] }));
  server.use(
    get('/api/admin/order-papers/:orderId', () => success({ data: { ...orderPapers(), papers } })),
    get('/api/admin/paper-reasons', () => success({ data: { reasons: [BLURRED] } })),
  );
  const user = await openApp(`${paths.viewOrder(100234)}?view=papers`);
  await screen.findByRole('navigation', { name: 'Documents' });
  return user;
}

const shownFile = () =>
  within(screen.getByRole('list', { name: 'All documents' }))
    .getAllByRole('button')
    .find((tab) => tab.getAttribute('aria-current') === 'true')?.textContent;
const state = (name: string) => screen.queryByRole('button', { name });

test('the viewer steps through every file: earlier ones, other ones and the issued visa', async () => {
  const user = await openPapers([paper('passport')]);
  expect(shownFile()).toBe('Passport');
  expect(state('Unreadable')).toBeVisible();
  await user.keyboard('.');
  expect(shownFile()).toBe('Passport, earlier');
  await user.keyboard('.');
  expect(shownFile()).toBe('Selfie');
  await user.keyboard('.');
  expect(shownFile()).toBe('Issued visa');
  await user.keyboard('.');
  expect(shownFile()).toBe('Passport');
  await user.click(screen.getByRole('button', { name: 'Passport, earlier' }));
  expect(shownFile()).toBe('Passport, earlier');
});

test('while an earlier file is shown, neither button nor key changes the state of the newest one', async () => {
  const user = await openPapers([paper('passport')]);
  await user.keyboard('.');
  expect(screen.getByText('An earlier file is shown.')).toBeVisible();
  expect(state('Unreadable')).toBeNull();
  // An unexpected call would fail the test.
  await user.keyboard('2');
  await user.click(screen.getByRole('button', { name: 'Show the newest' }));
  expect(shownFile()).toBe('Passport');
  expect(state('Unreadable')).toBeVisible();
});

test('quick decisions are sent one after the other, and the last one wins', async () => {
  const user = await openPapers([paper('passport')]);
  const sent: string[] = [];
  let running = 0;
  let respond: (() => void) | undefined;
  server.use(
    post('/api/admin/set-paper-state', async ({ request }) => {
      running += 1;
      expect(running).toBe(1);
      sent.push(((await request.json()) as SetPaperState).state);
      await new Promise<void>((resolve) => {
        respond = resolve;
      });
      running -= 1;
      return success({});
    }),
  );
  await user.keyboard('23');
  await waitFor(() => expect(sent).toEqual(['unreadable']));
  await user.click(state('Fine')!);
  respond?.();
  await waitFor(() => expect(sent).toEqual(['unreadable', 'wrong']));
  respond?.();
  await waitFor(() => expect(sent).toEqual(['unreadable', 'wrong', 'fine']));
  respond?.();
});

test('n goes on to the next paper to check', async () => {
  const user = await openPapers([
    paper('passport', { state: 'fine' }),
    paper('bank_statement', { is_required: false }),
  ]);
  await user.keyboard('n');
  expect(screen.getByRole('region', { name: 'Bank statement' })).toBeVisible();
});

test('n says when every paper is checked', async () => {
  const user = await openPapers([paper('passport', { state: 'fine' })]);
  await user.keyboard('n');
  expect(await screen.findByText('Every document that was received is checked')).toBeVisible();
});

test('d leads to the documents and back to the order', async () => {
  const user = await openPapers([paper('passport')]);
  await user.keyboard('d');
  expect(await screen.findByRole('region', { name: 'Emails' })).toBeVisible();
  await user.keyboard('d');
  expect(await screen.findByRole('region', { name: 'Passport' })).toBeVisible();
});
