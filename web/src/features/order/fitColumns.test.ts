import { expect, test } from 'vitest';
import { orderNumber } from '@/testing/server';
import {
  chargeBack,
  contact,
  future,
  owned,
  refund,
  standard,
  type ColumnTitles,
} from './columnSets';
import { fitColumns } from './fitColumns';
import { statusWidth } from './statusWidth';

const options = {
  hidden: [],
  deletable: true,
  status: statusWidth([orderNumber(100234)]),
  hasMenu: false,
} as const;

const titlesAt = (titles: ColumnTitles, widthPx: number) =>
  fitColumns(titles, { ...options, widthPx }).columns.map(({ title }) => title);

/** Beside the sidebar: 1440, 1280, 1152, 1024 and 992 px. */
const WIDTHS = [1064, 904, 800, 672, 640];

test('columns give way in order: the time, the email, then the telephone', () => {
  const fits = WIDTHS.map((widthPx) => fitColumns(standard, { ...options, widthPx }));
  expect(fits.map(({ emailUnderName }) => emailUnderName)).toEqual([false, true, true, true, true]);
  expect(fits.map(({ timeUnderDate }) => timeUnderDate)).toEqual([false, true, true, true, true]);
  expect(fits.map(({ shown }) => shown)).toEqual([7, 7, 7, 6, 6]);
  expect(titlesAt(future, 1064)).toHaveLength(9);
  expect(titlesAt(standard, 672)).toEqual(['Order Id', 'Name', 'Date & Time', 'Status', 'Action']);
});

test('the time gives way before the email, and the owner after the telephone', () => {
  const titles = WIDTHS.map((widthPx) => titlesAt(owned, widthPx));
  expect(titles.map((shown) => shown.includes('Email'))).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
  expect(titles.map((shown) => shown.includes('Telephone'))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
  expect(titles.map((shown) => shown.includes('Owner'))).toEqual([true, true, true, false, false]);
});

const SHORT = orderNumber(100234);
const LONG = orderNumber(100235, {
  process_status: 'Contact Customer',
  mail_problem: 'failed',
  missing_documents: 2,
});

test.each([
  ['standard', standard],
  ['lists of several members', owned],
  ['Contact Customer', contact],
  ['Refunds', refund],
  ['ChargeBack', chargeBack],
  ['Future', future],
] as const)('the columns of %s fit at every width, in their order', (_, titles) => {
  for (const widthPx of WIDTHS) {
    for (const rows of [[], [SHORT], [SHORT, LONG]]) {
      const { columns } = fitColumns(titles, {
        ...options,
        // A row of Refunds can only be viewed.
        deletable: titles !== refund,
        status: statusWidth(rows),
        widthPx,
      });
      const sum = columns.reduce((sum, column) => sum + column.widthPx, 40);
      expect(sum, `${rows.length} rows at ${widthPx}`).toBeLessThanOrEqual(widthPx);
      expect(columns.filter(({ grows }) => grows)).toHaveLength(1);
      const keys: readonly string[] = columns.map(({ key }) => key);
      expect(keys).toEqual(titles.map(([key]) => key).filter((key) => keys.includes(key)));
      const dates = keys.filter((key) => key === 'createdAt' || key === 'processingDate');
      expect(dates.length).toBeGreaterThan(0);
      expect(keys).toEqual(expect.arrayContaining(['orderId', 'status', 'action']));
      expect(keys.includes('name')).toBe(titles.some(([key]) => key === 'name'));
    }
  }
});

/** The width of the growing column once the others have theirs. */
function widthLeft(titles: ColumnTitles, widthPx: number, rows: Parameters<typeof statusWidth>[0]) {
  const { columns } = fitColumns(titles, { ...options, status: statusWidth(rows), widthPx });
  return widthPx - columns.reduce((sum, it) => sum + (it.grows ? 0 : it.widthPx), 40);
}

test('an email has the width that short statuses leave', () => {
  const missing = orderNumber(100236, { missing_documents: 1 });
  // As wide as maximilian.becker4196@example.com.
  expect(widthLeft(standard, 1064, [SHORT])).toBeGreaterThanOrEqual(240);
  expect(widthLeft(standard, 1064, [missing])).toBeGreaterThanOrEqual(240);
});

test('what is wrong is beside the status where there is room, and below it in rows of two lines', () => {
  const status = statusWidth([
    orderNumber(100237, {
      process_status: 'ChargeBack',
      chargeback: {
        working_deadline: '2026-11-22',
        respond_by: '2026-12-18',
        days_left: 2,
        urgency: 'Urgent',
        outcome: 'Open',
      },
    }),
  ]);
  const [wide, narrow] = [1168, 904].map((widthPx) =>
    fitColumns(chargeBack, { ...options, status, widthPx }),
  );
  expect(wide).toMatchObject({ findingsBelow: false, twoLines: false });
  expect(narrow).toMatchObject({ findingsBelow: true, twoLines: true });
});

test('hidden columns leave, and nothing is hidden by a name that the list does not know', () => {
  const hidden = ['email', 'telephone', 'status', 'shoe_size'];
  const fit = fitColumns(standard, { ...options, hidden, widthPx: 1064 });
  expect(fit.columns.map(({ key }) => key)).toEqual([
    'orderId',
    'name',
    'createdAt',
    'status',
    'action',
  ]);
  expect([fit.shown, fit.all]).toEqual([5, 7]);
});

test('Contact Customer has no telephone at any width', () => {
  expect(titlesAt(contact, 0)).not.toContain('Telephone');
});
