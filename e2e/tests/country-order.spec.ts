import { readFile } from 'node:fs/promises';

import { row, tabTo, typedDate } from '../support/staffActions.ts';
import { agencyDay } from '../support/orders.ts';
import { inspect } from '../support/visualChecks.ts';
import { expect, test } from '../support/test.ts';

const SCREEN = '/admin/country-order';
const COLUMNS = ['Country', 'Order', 'Standard Orders', 'Priority Orders', 'Future Orders'];
const FROM = agencyDay(-300);
const COUNTRY = 'Tuvalu';
const FROM_TUVALU = [
  { external_reference: 'ISLE-1', nationality: COUNTRY },
  { external_reference: 'ISLE-2', nationality: COUNTRY },
  {
    external_reference: 'ISLE-3',
    nationality: COUNTRY,
    processing_mode: 'Priority Processing' as const,
  },
  { external_reference: 'ISLE-4', nationality: COUNTRY, process_status: 'Deleted' },
];

/** Where the text of an element ends. */
function textEnd(element: Element): number {
  const text = document.createRange();
  text.selectNodeContents(element);
  return Math.max(...[...text.getClientRects()].map(({ right }) => right));
}

test.describe('a Manager', () => {
  test.use({ as: 'Manager' });

  test('sees the orders of a country and downloads them as CSV', async ({ page, server }) => {
    await server.importOrders(FROM_TUVALU);
    await page.goto('/admin');
    await page.getByRole('link', { name: 'Country Order List' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Country Orders List');
    await expect(page.getByRole('columnheader')).toHaveText(COLUMNS);
    await page.getByRole('searchbox', { name: 'Search by nationality' }).fill('tuv');
    await expect(page.getByRole('row')).toHaveCount(3);
    await expect(row(page, COUNTRY).getByRole('cell')).toHaveText([COUNTRY, '3', '2', '1', '0']);
    await expect(row(page, 'Total').getByRole('cell')).toHaveText(['Total', '3', '2', '1', '0']);

    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download as CSV' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('country-orders.csv');
    expect(await readFile(await file.path(), 'utf8')).toContain(`${COUNTRY},3,2,1,0`);
  });
});

test.describe('a Telecaller', () => {
  test.use({ as: 'Telecaller' });

  test('chooses the period and is offered no CSV', async ({ page, server }) => {
    await server.importOrders(FROM_TUVALU);
    await page.goto(SCREEN);
    await expect(row(page, COUNTRY)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Download as CSV' })).toHaveCount(0);
    await page.getByLabel('From date').fill('2001-01-01');
    await page.getByLabel('To date').fill('2000-12-31');
    await page.getByRole('button', { name: 'Submit' }).click();
    await expect(page.getByText(/^The from date is after the to date/)).toBeVisible();
    // The form moves the focus to the field with the error, which would take what is typed elsewhere meanwhile.
    await expect(page.getByLabel('From date')).toBeFocused();
    await page.getByLabel('To date').fill('2001-01-02');
    await page.getByRole('button', { name: 'Submit' }).click();
    await expect(page).toHaveURL(/from=2001-01-01&to=2001-01-02/);
    await expect(page.getByText('No records found')).toBeVisible();
    await expect(page.getByText('No data available in table')).toBeVisible();
  });

  test('chooses the period and a country with the keyboard alone', async ({ page, server }) => {
    await server.importOrders(FROM_TUVALU);
    await page.goto(SCREEN);
    await tabTo(page, page.getByLabel('From date'));
    await page.keyboard.type(typedDate(FROM));
    await tabTo(page, page.getByRole('button', { name: 'Submit' }));
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(new RegExp(`from=${FROM}`));
    await page.keyboard.press('/');
    await page.keyboard.type('tuv');
    await expect(page.getByRole('row')).toHaveCount(3);
    await expect(row(page, COUNTRY)).toBeVisible();
  });

  test('sees each heading over its numbers, and on a phone all labels at one edge', async ({
    page,
    server,
  }) => {
    await server.importOrders(FROM_TUVALU);
    await page.goto(SCREEN);
    const cells = row(page, COUNTRY).getByRole('cell');
    await expect(cells).toHaveCount(COLUMNS.length);
    for (const [place, title] of COLUMNS.entries()) {
      if (place === 0) continue;
      const heading = await page
        .getByRole('columnheader', { name: title, exact: true })
        .evaluate(textEnd);
      expect(await cells.nth(place).evaluate(textEnd), title).toBeCloseTo(heading, 0);
    }
    await page.setViewportSize({ width: 390, height: 900 });
    const edges = cells.evaluateAll((all) =>
      all.map((cell) => getComputedStyle(cell, '::before').textAlign),
    );
    expect(new Set(await edges)).toEqual(new Set(['start']));
  });

  test('sees a list that fits every width, with long names and empty', async ({ page, server }) => {
    await server.importOrders([
      ...FROM_TUVALU,
      { external_reference: 'ISLE-5', nationality: 'Saint Helena, Ascension and Tristan da Cunha' },
    ]);
    await page.goto(SCREEN);
    await expect(row(page, COUNTRY)).toBeVisible();
    await inspect(page, 'country-order');
    await page.goto(`${SCREEN}?from=2001-01-01&to=2001-01-02`);
    await expect(page.getByText('No records found')).toBeVisible();
    await inspect(page, 'country-order-empty');
  });
});
