import { expect, test } from 'vitest';
import { chargeBack, contact, future, refund, standard, type ColumnTitles } from './columnSets';
import { fitColumns } from './fitColumns';

const options = {
  hidden: [],
  density: 'comfortable',
  deletable: true,
  wideStatus: false,
  hasMenu: false,
} as const;

const titlesAt = (titles: ColumnTitles, widthPx: number) =>
  fitColumns(titles, { ...options, widthPx }).columns.map(({ title }) => title);

/** Beside the sidebar: 1440, 1280, 1152, 1024 and 992 px. */
const WIDTHS = [1064, 904, 800, 672, 640];

test('columns give way in order: the time, the email, then the telephone', () => {
  const fits = WIDTHS.map((widthPx) => fitColumns(standard, { ...options, widthPx }));
  expect(fits.map(({ timeUnderDate }) => timeUnderDate)).toEqual([false, true, true, true, true]);
  expect(fits.map(({ emailUnderName }) => emailUnderName)).toEqual([
    false,
    false,
    true,
    true,
    true,
  ]);
  expect(fits.map(({ shown }) => shown)).toEqual([7, 7, 7, 6, 6]);
  expect(titlesAt(future, 1064)).toHaveLength(9);
  expect(titlesAt(standard, 672)).toEqual(['Order Id', 'Name', 'Date & Time', 'Status', 'Action']);
});

test.each([
  ['standard', standard],
  ['Contact Customer', contact],
  ['Refunds', refund],
  ['ChargeBack', chargeBack],
  ['Future', future],
] as const)('the columns of %s fit at every width, in their order', (_, titles) => {
  for (const widthPx of WIDTHS) {
    for (const density of ['comfortable', 'compact'] as const) {
      for (const wideStatus of [true, false]) {
        // A row of Refunds can only be viewed.
        const deletable = titles !== refund;
        const { columns } = fitColumns(titles, {
          ...options,
          density,
          deletable,
          wideStatus,
          widthPx,
        });
        const sum = columns.reduce((sum, column) => sum + column.widthPx, 40);
        expect(sum, `${density} at ${widthPx}`).toBeLessThanOrEqual(widthPx);
        expect(columns.filter(({ grows }) => grows)).toHaveLength(1);
        const keys: readonly string[] = columns.map(({ key }) => key);
        expect(keys).toEqual(titles.map(([key]) => key).filter((key) => keys.includes(key)));
        const dates = keys.filter((key) => key === 'createdAt' || key === 'processingDate');
        expect(dates.length).toBeGreaterThan(0);
        expect(keys).toEqual(expect.arrayContaining(['orderId', 'status', 'action']));
        expect(keys.includes('name')).toBe(titles.some(([key]) => key === 'name'));
      }
    }
  }
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
