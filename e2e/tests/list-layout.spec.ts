/** Ids, statuses and dates of the lists at every width. */

import type { Page } from '@playwright/test';

import { daysAhead, monthOf } from '../support/orders.ts';
import { loadedRows } from '../support/staffActions.ts';
import { expect, test } from '../support/test.ts';

/** Phones, tablets, laptops with the sidebar open and closed, a desktop. */
const WIDTHS = [360, 390, 767, 768, 900, 991, 992, 1024, 1200, 1280, 1366, 1440, 1920];

/** The day of the future order, whose month is opened. */
const DAY = daysAhead(40);
const { year: YEAR, month: MONTH } = monthOf(DAY);

const LISTS = [
  { name: 'New Orders', path: '/admin/recent-order', id: 'Order Id', date: 'Date & Time' },
  {
    name: 'Awaiting Customer',
    path: '/admin/awaiting-response',
    id: 'Order Id',
    date: 'Date & Time',
  },
  { name: 'Refunds', path: '/admin/refund-order', id: 'Order Id', date: 'Refund Date' },
  { name: 'ChargeBack Orders', path: '/admin/chargeback', id: 'Order Id', date: 'Date and Time' },
  {
    name: 'Future Order',
    path: `/admin/future-order?year=${YEAR}&month=${MONTH}`,
    id: 'Order ID',
    date: 'Processing Date',
  },
];

/** The cells of a column that are partly cut off or covered. */
function hiddenCells(page: Page, title: string): Promise<string[]> {
  return page.getByRole('table').evaluate((table, title) => {
    const cells = [...table.querySelectorAll<HTMLElement>(`td[data-label="${title}"]`)];
    const isHidden = (cell: HTMLElement) => {
      cell.scrollIntoView({ block: 'center', inline: 'nearest' });
      table.parentElement!.scrollLeft = 0;
      const content = document.createRange();
      content.selectNodeContents(cell);
      return [...content.getClientRects()].some(({ left, right, top, bottom }) =>
        [left + 1, right - 1].some((x) => {
          const seen = document.elementFromPoint(x, (top + bottom) / 2);
          return seen === null || !cell.contains(seen);
        }),
      );
    };
    const hidden = cells.filter(isHidden).map((cell) => cell.innerText);
    return cells.length === 0 ? ['there is no such cell'] : hidden;
  }, title);
}

test.use({ as: 'Admin' });

for (const { name, path, id, date } of LISTS) {
  test(`${name} shows every id, status and date at every width`, async ({ page, server }) => {
    await server.importOrders([
      {
        external_reference: 'WIDE-1',
        full_name: 'Raden Ajeng Siti Maria Magdalena Kusumawardhani',
        contact_email_address: 'siti.maria.magdalena.kusumawardhani@correspondence.example',
        process_status: 'Future',
        processing_date: DAY,
      },
      { external_reference: 'WIDE-2' },
    ]);
    await page.goto(path);
    await expect(loadedRows(page).first()).toBeVisible();
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      for (const title of [id, 'Status', date]) {
        expect(await hiddenCells(page, title), `${title} at ${width} px`).toEqual([]);
      }
    }
  });
}
