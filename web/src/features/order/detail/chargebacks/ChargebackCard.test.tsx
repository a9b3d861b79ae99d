import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Chargeback } from '@/api/types';
import { allowedOnDetail } from '@/testing/allowed';
import { answerDisputes, chargebackOf } from '@/testing/chargebacks';
import { refetchAll, closeApp } from '@/testing/openApp';
import { openOrder } from '@/testing/openOrder';
import { get, post, refusal, server, success } from '@/testing/server';

const SAVE = '/api/admin/save-chargeback';
const form = () => within(screen.getByRole('form', { name: 'Chargeback' }));
const field = (label: string) => form().getByLabelText(label);
const setDate = (label: string, date: string) =>
  fireEvent.change(field(label), { target: { value: date } });
const save = () => form().getByRole('button', { name: 'Save Chargeback' });

/** Opens an order with a chargeback in its state at the time of the call. */
async function openDisputed(record: () => Chargeback = chargebackOf) {
  answerDisputes();
  const user = await openOrder(() => ({
    process_status: 'ChargeBack',
    chargeback: record(),
    allowed: allowedOnDetail({ save_chargeback: true }),
  }));
  await screen.findByRole('form', { name: 'Chargeback' });
  await screen.findByRole('option', { name: 'Mastercard' });
  return user;
}

test('the chargeback shows its deadline and reason', async () => {
  await openDisputed();
  const card = within(screen.getByRole('region', { name: 'Chargeback' }));
  expect(card.getByText('5 days left · Soon')).toHaveAttribute('data-tone', 'warn');
  expect(card.getByText(/^Answer by/)).toHaveTextContent(
    'Answer by 25-11-2026, the bank waits until 18-12-2026. Last changed by import, 18-11-2026 09:41:07 WIB',
  );
  expect(field('Amount')).toHaveValue('119.00');
  expect(field('Reason')).toHaveValue('');
});

test('a decided chargeback shows its outcome and no deadline', async () => {
  const won = { outcome: 'Won', urgency: 'Won', days_left: null } as const;
  await openDisputed(() => chargebackOf(won));
  const card = within(screen.getByRole('region', { name: 'Chargeback' }));
  expect(card.getByText('Won', { selector: 'span' })).toBeVisible();
  expect(card.queryByText(/Answer by/)).toBeNull();
});

test('the deadline follows the network and the opening day until it is edited', async () => {
  const user = await openDisputed();
  await user.selectOptions(field('Network'), 'Mastercard');
  expect(field('Respond by')).toHaveValue('02-01-2027');
  setDate('Opened on', '2026-11-19');
  expect(field('Respond by')).toHaveValue('03-01-2027');
  expect(form().getByText(/^We answer by/)).toHaveTextContent('We answer by 26-11-2026');
  setDate('Respond by', '2026-11-22');
  expect(form().getByText(/^We answer by/)).toHaveTextContent('We answer by 22-11-2026');
  await user.selectOptions(field('Network'), 'Visa');
  expect(field('Respond by')).toHaveValue('22-11-2026');
  // An empty field takes the newer value.
  setDate('Respond by', '');
  expect(form().getByText(/^The bank waits until/)).toHaveTextContent(
    'until 19-12-2026 when nothing',
  );
  await user.selectOptions(field('Network'), 'PayPal');
  expect(field('Respond by')).toHaveValue('24-11-2026');
});

test('a saved deadline that differs from the terms is kept', async () => {
  const user = await openDisputed(() => chargebackOf({ respond_by: '2026-11-27' }));
  await user.selectOptions(field('Network'), 'Mastercard');
  expect(field('Respond by')).toHaveValue('27-11-2026');
});

test('a chargeback is saved with the field names of the API and the version it is based on', async () => {
  let record = chargebackOf();
  const sent: unknown[] = [];
  server.use(
    post(SAVE, async ({ request }) => {
      sent.push(await request.json());
      record = chargebackOf({
        reason_group: 'Fraud',
        case_id: 'CB-77',
        updated_by: 'Ayu Lestari',
        updated_at: '2026-11-20T09:00:00Z',
      });
      return success({}, 'The chargeback has been saved');
    }),
  );
  const user = await openDisputed(() => record);
  await user.selectOptions(field('Reason'), 'Fraud');
  await user.type(field('Case id'), ' CB-77 ');
  await user.click(save());
  expect(await screen.findByText('The chargeback has been saved')).toBeVisible();
  expect(sent).toEqual([
    {
      orderId: 100234,
      network: 'Visa',
      reasonGroup: 'Fraud',
      reasonCode: '',
      caseId: 'CB-77',
      amount: '119.00',
      currency: 'USD',
      arn: '',
      openedOn: '2026-11-18',
      respondBy: '2026-12-18',
      outcome: 'Open',
      updated_at: '2026-11-18T02:41:07Z',
    },
  ]);
  await waitFor(() => expect(screen.getByText(/Last changed by/)).toHaveTextContent('Ayu Lestari'));
  await waitFor(() => expect(field('Case id')).toHaveValue('CB-77'));
  expect(screen.queryByText(/while you were editing/)).toBeNull();
  expect(sessionStorage).toHaveLength(0);
});

test('no choice can be made while a save is under way, since its end would undo it', async () => {
  const choices = ['Network', 'Reason', 'Outcome'];
  server.use(
    post(SAVE, () => {
      for (const label of choices) expect(field(label)).toBeDisabled();
      return success({}, 'The chargeback has been saved');
    }),
  );
  const user = await openDisputed();
  await user.click(save());
  expect(await screen.findByText('The chargeback has been saved')).toBeVisible();
  for (const label of choices) await waitFor(() => expect(field(label)).toBeEnabled());
});

test('an invalid amount, currency or date shows its error and is not sent', async () => {
  const user = await openDisputed();
  await user.clear(field('Amount'));
  await user.type(field('Amount'), '119,00');
  await user.clear(field('Currency'));
  await user.type(field('Currency'), 'us');
  setDate('Opened on', '');
  expect(await form().findByText('Please enter an amount such as 119.00')).toBeVisible();
  expect(form().getByText('Please enter three letters such as USD')).toBeVisible();
  expect(form().getByText('Please enter the day it was opened')).toBeVisible();
  await user.click(save());
  // There is no handler: a call would fail the test.
  expect(save()).toHaveAttribute('aria-disabled', 'false');
});

test('a conflicting save names the other member and loses nothing', async () => {
  let record = chargebackOf();
  const stale = 'Nothing was changed: Made Wirawan changed the chargeback meanwhile';
  const over: unknown[] = [];
  server.use(
    post(SAVE, async ({ request }) => {
      const { updated_at: at } = (await request.json()) as { updated_at: string };
      over.push(at);
      if (at === record.updated_at) return success({}, 'The chargeback has been saved');
      return refusal(409, stale);
    }),
  );
  const user = await openDisputed(() => record);
  await user.type(field('Case id'), 'CB-77');
  const updated_at = '2026-11-20T08:00:00Z';
  record = chargebackOf({ arn: '7412', updated_by: 'Made Wirawan', updated_at });
  await user.click(save());
  expect(await screen.findByText(stale)).toBeVisible();
  expect(await screen.findByText(/while you were editing/)).toHaveTextContent('Made Wirawan');
  expect(field('Case id')).toHaveValue('CB-77');
  expect(field('ARN')).toHaveValue('7412');
  await user.click(save());
  expect(await screen.findByText('The chargeback has been saved')).toBeVisible();
  expect(over).toEqual(['2026-11-18T02:41:07Z', updated_at]);
});

test('changes based on an older version can be discarded', async () => {
  let record = chargebackOf();
  const user = await openDisputed(() => record);
  await user.type(field('Case id'), 'CB-77');
  record = chargebackOf({
    case_id: 'CB-1',
    updated_by: 'Made Wirawan',
    updated_at: '2026-11-20T08:00:00Z',
  });
  await refetchAll();
  expect(await screen.findByText(/while you were editing/)).toBeVisible();
  expect(field('Case id')).toHaveValue('CB-77');
  await user.click(screen.getByRole('button', { name: 'Discard my changes' }));
  expect(field('Case id')).toHaveValue('CB-1');
  expect(screen.queryByText(/while you were editing/)).toBeNull();
});

test('a draft survives a reload together with its version', async () => {
  let record = chargebackOf();
  const user = await openDisputed(() => record);
  await user.type(field('Case id'), 'CB-77');
  await user.clear(field('Currency'));
  closeApp();
  record = chargebackOf({ updated_by: 'Made Wirawan', updated_at: '2026-11-20T08:00:00Z' });
  await openDisputed(() => record);
  expect(field('Case id')).toHaveValue('CB-77');
  expect(field('Currency')).toHaveValue('');
  expect(await screen.findByText(/while you were editing/)).toHaveTextContent('Made Wirawan');
});

test('a chargeback that cannot be saved has no Save button', async () => {
  answerDisputes();
  await openOrder({ chargeback: chargebackOf() });
  await screen.findByRole('form', { name: 'Chargeback' });
  expect(form().queryByRole('button', { name: 'Save Chargeback' })).toBeNull();
});

test('terms that fail to load can be retried, and the chargeback is shown without them', async () => {
  answerDisputes();
  server.use(
    get('/api/admin/chargeback-terms', () => refusal(500, 'Incident 4f2a'), { once: true }),
  );
  const chargeback = chargebackOf({ network: 'Discover' });
  const user = await openOrder({ process_status: 'ChargeBack', chargeback });
  expect(await screen.findByText('Incident 4f2a')).toBeVisible();
  expect(field('Network')).toHaveValue('Discover');
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(screen.queryByText('Incident 4f2a')).toBeNull());
  expect(field('Network')).toHaveValue('Discover');
});
