import { expect, test } from 'vitest';
import type { ChargebackTerms } from '@/api/types';
import { chargebackOf } from '@/testing/chargebacks';
import { chargebackForm, fieldsOf, lastDayOf, workingDay } from './chargebackForm';

const terms: ChargebackTerms = {
  networks: [
    { network: 'Visa', days: 30 },
    { network: 'PayPal', days: 5 },
  ],
  reason_groups: [],
  outcomes: [],
  working_days: 7,
};
const opened = (network: string, openedOn = '2026-11-18') => ({ network, openedOn });
const answerBy = (network: string, respondBy = '') =>
  workingDay(terms, { ...opened(network), respondBy });

/** The fields whose value is refused when the form has these values. */
function refusedIn(values: object): string[] {
  const parsed = chargebackForm.safeParse({ ...fieldsOf(chargebackOf()), ...values });
  return (parsed.error?.issues ?? []).map(({ path }) => String(path[0]));
}

test.each(['', '119', '119.5', '119.00', '1.234', ' 119.00 '])('“%s” is an amount', (amount) => {
  expect(refusedIn({ amount })).toEqual([]);
});

test.each(['119,00', '1.2345', '-1', '.5', '1.', 'USD 5'])('“%s” is no amount', (amount) => {
  expect(refusedIn({ amount })).toEqual(['amount']);
});

test('a currency has three letters, in any case, or is left out', () => {
  expect(chargebackForm.parse({ ...fieldsOf(chargebackOf()), currency: ' usd ' }).currency).toBe(
    'USD',
  );
  expect(refusedIn({ currency: '' })).toEqual([]);
  for (const currency of ['US', 'USDT', 'US1'])
    expect(refusedIn({ currency })).toEqual(['currency']);
});

test('the opening day is needed, the last day is not, and both are days', () => {
  expect(refusedIn({ openedOn: '2026-11-18', respondBy: '' })).toEqual([]);
  expect(refusedIn({ openedOn: '' })).toEqual(['openedOn']);
  expect(refusedIn({ openedOn: '31-02-2026', respondBy: '31-02-2026' })).toEqual([
    'openedOn',
    'respondBy',
  ]);
});

test('texts lose the spaces around them', () => {
  const typed = { reasonCode: ' 10.4 ', caseId: ' CB-77 ', arn: ' 7412 ' };
  expect(chargebackForm.parse({ ...fieldsOf(chargebackOf()), ...typed })).toMatchObject({
    reasonCode: '10.4',
    caseId: 'CB-77',
    arn: '7412',
  });
});

test('each fact of a chargeback has a field of its own', () => {
  const facts = {
    reason_group: 'Fraud',
    reason_code: '10.4',
    case_id: 'CB-77',
    amount: '5.00',
    currency: 'EUR',
    arn: '7412',
    outcome: 'Won',
  } as const;
  expect(fieldsOf(chargebackOf(facts))).toEqual({
    network: 'Visa',
    reasonGroup: 'Fraud',
    reasonCode: '10.4',
    caseId: 'CB-77',
    amount: '5.00',
    currency: 'EUR',
    arn: '7412',
    openedOn: '2026-11-18',
    respondBy: '2026-12-18',
    outcome: 'Won',
  });
});

test('the last day of a network is counted from the opening day', () => {
  expect(lastDayOf(terms, opened('Visa'))).toBe('2026-12-18');
  expect(lastDayOf(terms, opened('Discover'))).toBe('');
  expect(lastDayOf(terms, opened('Visa', 'soon'))).toBe('');
  expect(lastDayOf(undefined, opened('Visa'))).toBe('');
});

test('the working deadline is ours, unless the bank waits a shorter time', () => {
  expect(answerBy('Visa')).toBe('2026-11-25');
  expect(answerBy('PayPal')).toBe('2026-11-23');
  expect(answerBy('Discover')).toBe('2026-11-25');
  expect(answerBy('PayPal', '2026-11-30')).toBe('2026-11-25');
  expect(answerBy('Visa', '2026-11-20')).toBe('2026-11-20');
});
