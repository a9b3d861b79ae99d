/** Ids, statuses and dates of the lists at every width, in both heights of rows. */

// oxlint-disable unicorn/consistent-function-scoping -- the check runs in the page, without this module's scope

import type { Page } from '@playwright/test';

import { isLong } from '../support/forms.ts';
import { daysAhead, monthOf } from '../support/orders.ts';
import { STAFF } from '../support/staff.ts';
import { loadedRows, row } from '../support/staffActions.ts';
import { expect, test } from '../support/test.ts';
import { inspectState } from '../support/visualChecks.ts';

/** The narrowest phone, the neighbours of what changes most (cards or a table, the sidebar beside it), and a desktop. */
const NEIGHBOURS = [360, 767, 768, 992, 1440];
/** Phones, tablets, laptops with the sidebar open and closed, a desktop. */
const ALL = [360, 390, 767, 768, 820, 900, 991, 992, 1024, 1152, 1200, 1280, 1366, 1440, 1920];
const WIDTHS = isLong ? ALL : NEIGHBOURS;

/** The day of the future order, whose month is opened. */
const DAY = daysAhead(40);
const { year: YEAR, month: MONTH } = monthOf(DAY);

const STANDARD = ['orderId', 'name', 'createdAt', 'status', 'action'];

const LISTS = [
  { name: 'New Orders', path: '/admin/recent-order', columns: STANDARD },
  { name: 'Awaiting Customer', path: '/admin/awaiting-response', columns: STANDARD },
  { name: 'Contact Customer', path: '/admin/contact-customer', columns: STANDARD },
  { name: 'Order History', path: '/admin/order-history?limit=50', columns: STANDARD },
  {
    name: 'Refunds',
    path: '/admin/refund-order',
    columns: ['orderId', 'email', 'createdAt', 'refundDate', 'status', 'action'],
  },
  {
    name: 'ChargeBack Orders',
    path: '/admin/chargeback',
    columns: ['orderId', 'email', 'createdAt', 'status', 'action'],
  },
  {
    name: 'Future Order',
    path: `/admin/future-order?year=${YEAR}&month=${MONTH}`,
    columns: ['orderId', 'name', 'processingDate', 'status', 'action'],
  },
];

/** What is not seen at its place in these columns: cut off, covered, or not there. A long name or email may end in an ellipsis. */
function hiddenCells(page: Page, columns: readonly string[]): Promise<string[]> {
  return page.getByRole('table').evaluate((table, columns) => {
    const mayBeCut = (cell: HTMLElement) => ['name', 'email'].includes(cell.dataset['col']!);
    const placesOf = (cell: HTMLElement) => {
      if (cell.dataset['col'] === 'action')
        return [cell.querySelector('a, button')!.getBoundingClientRect()];
      const content = document.createRange();
      content.selectNodeContents(cell);
      // The third line of a long name is cut off.
      const end = (cell.lastElementChild ?? cell).getBoundingClientRect().bottom;
      return [...content.getClientRects()].filter(
        ({ top, bottom }) => !mayBeCut(cell) || (top + bottom) / 2 < end,
      );
    };
    const isHidden = (cell: HTMLElement) => {
      const row = cell.closest('tr')!;
      row.scrollIntoView({ block: 'center', inline: 'nearest' });
      table.parentElement!.scrollLeft = 0;
      const isCut = !mayBeCut(cell) && cell.scrollWidth > cell.clientWidth + 1;
      const places = placesOf(cell);
      const end = mayBeCut(cell) ? cell.getBoundingClientRect().right : Infinity;
      return (
        isCut ||
        places.length === 0 ||
        places.some(({ left, right, top, bottom }) =>
          [left + 1, Math.min(right, end) - 1].some((x) => {
            const seen = document.elementFromPoint(x, (top + bottom) / 2);
            // On a phone the link of the number fills the card and that of the telephone is as high as a finger: both are seen through.
            const isLink = row.contains(seen) && seen!.closest('a') !== null;
            return seen === null || !(cell.contains(seen) || isLink);
          }),
        )
      );
    };
    return columns.flatMap((column) => {
      const selector = `tr[data-index] td[data-col="${column}"]`;
      const cells = [...table.querySelectorAll<HTMLElement>(selector)];
      if (cells.length === 0) return [`${column}: there is no such cell`];
      return cells.filter(isHidden).map((cell) => `${column}: ${cell.textContent}`);
    });
  }, columns);
}

/** Fails if a cell of these columns is hidden at one of the widths. */
async function expectNothingHidden(page: Page, columns: readonly string[], how: string) {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    // The date of a phone's card of a refund or a future order is the one that matters there.
    const seen = columns.filter((column) => width >= 768 || column !== 'refundDate');
    if (width < 768 && !seen.includes('email')) seen.push('email');
    await expect
      .poll(() => hiddenCells(page, seen), { message: `at ${width} px, ${how}` })
      .toEqual([]);
  }
}

test.use({ as: 'Admin' });

for (const density of ['comfortable', 'compact']) {
  test(`every number, name, status, date and first action is shown in each list at every width, ${density}`, async ({
    page,
    server,
  }) => {
    await server.importOrders([
      {
        external_reference: 'WIDE-1',
        full_name: 'Raden Ajeng Siti Maria Magdalena Kusumawardhani',
        contact_email_address: 'siti.maria.magdalena.kusumawardhani@correspondence.example',
        process_status: 'Future',
        processing_date: DAY,
      },
      {
        external_reference: 'WIDE-2',
        full_name: 'Raden Ajeng Siti Maria Magdalena Kusumawardhani',
        process_status: 'Contact Customer',
      },
      {
        external_reference: 'WIDE-3',
        full_name: 'Raden Ajeng Siti Maria Magdalena Kusumawardhani',
      },
    ]);
    const settings = { density, hidden_columns: {} };
    await server.call('Admin', 'PUT', 'admin/list-settings', settings);
    for (const { name, path, columns } of LISTS) {
      await test.step(name, async () => {
        await page.setViewportSize({ width: 1440, height: 900 });
        await page.goto(path);
        await expect(loadedRows(page).first()).toBeVisible();
        await expectNothingHidden(page, columns, `${name}, ${density}`);
      });
    }
  });
}

test('with a row ticked nothing is hidden either, and the bar with the actions fits', async ({
  page,
}) => {
  await page.goto('/admin/recent-order');
  await loadedRows(page).first().getByRole('checkbox').check();
  await expectNothingHidden(page, STANDARD, 'with a row ticked');
  await inspectState(page, 'list-ticked');
});

test('a card of a phone has the email and the initials of the owner, and a long name two lines where there is room', async ({
  page,
  server,
}) => {
  const name = 'Maria-Magdalena Kusumawardhani';
  await server.importOrders([
    { external_reference: 'CARD-1', full_name: name, process_status: 'Awaiting' },
  ]);
  await page.goto('/admin/awaiting-response?q=maria-magdalena');
  const order = row(page, name);
  const lines = () =>
    order.getByRole('link', { name }).evaluate((link) => {
      const text = document.createRange();
      text.selectNodeContents(link);
      return new Set([...text.getClientRects()].map(({ top }) => top)).size;
    });
  await expect.poll(lines).toBe(2);
  const { orderId } = await server.findOrder('awaitingOrder', 'card-1@traveller.example');
  await server.call('Team', 'PUT', 'admin/assign-order-status', {
    orderId: [orderId],
    assignto: STAFF.Team.name,
  });
  await page.reload();
  await expect(order.getByRole('cell', { name: STAFF.Team.name })).toBeVisible();

  await page.setViewportSize({ width: 390, height: 800 });
  await expect(order.getByText('card-1@traveller.example')).toBeInViewport();
  const owner = await order.getByText('BS', { exact: true }).boundingBox();
  await page.mouse.click(owner!.x + owner!.width / 2, owner!.y + owner!.height / 2);
  await expect(page.getByRole('heading', { level: 1, name: /^Order \d/ })).toBeVisible();
});

test('a member switches on the newest comment of each order in all lists', async ({
  page,
  server,
}) => {
  await server.importOrders([{ external_reference: 'TOLD-1', process_status: 'Awaiting' }]);
  const { orderId } = await server.findOrder('awaitingOrder', 'told-1@');
  const remark = { orderId, remark: 'Called twice, she sends the statement on Monday' };
  await server.call('Team', 'POST', 'admin/add-new-remark', remark);
  await page.setViewportSize({ width: 1600, height: 900 });
  await page.goto('/admin/awaiting-response?q=told-1');
  const comment = page.getByRole('cell', { name: remark.remark });
  await expect(loadedRows(page)).toHaveCount(1);
  await expect(comment).toBeHidden();
  await page.getByRole('button', { name: /^Columns/ }).click();
  await page.getByRole('checkbox', { name: 'Newest comment, in all lists' }).click();
  await expect(comment).toBeVisible();
  await inspectState(page, 'newest-comments');
  await page.reload();
  await expect(comment).toBeVisible();
  await expect(page.getByRole('columnheader', { name: 'Newest comment' })).toBeVisible();
});
