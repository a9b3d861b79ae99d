import {
  confirm,
  expectToast,
  loadedRows,
  openFolder,
  row,
  search,
  select,
  undoChange,
  sidebarCount,
} from '../support/staffActions.ts';
import { inspect } from '../support/visualChecks.ts';
import { STAFF } from '../support/staff.ts';
import { SEEDED_ORDERS } from '../support/template.ts';
import { expect, readingTest, test } from '../support/test.ts';

const STANDARD = ['Order Id', 'Name', 'Email', 'Telephone', 'Date & Time', 'Status', 'Action'];
/** Lists with orders of several members. */
const OWNED = STANDARD.toSpliced(5, 0, 'Owner');

/** Every list: its route, its heading, its link in the sidebar where that differs, its columns where they differ. */
const LISTS = [
  { path: 'recent-order', title: 'New Orders' },
  { path: 'my-order', title: 'My Orders' },
  { path: 'priority-order', title: 'Priority Orders' },
  { path: 'pending-order', title: 'Pending Orders' },
  { path: 'completed-order', title: 'Completed Orders' },
  { path: 'deleted-order', title: 'Deleted Orders', link: 'Deleted Order' },
  { path: 'awaiting-response', title: 'Awaiting Customer', columns: OWNED },
  { path: 'awaiting-govt', title: 'Awaiting Govt', columns: OWNED },
  { path: 'called', title: 'Customer Called', columns: OWNED },
  {
    path: 'contact-customer',
    title: 'Contact Customer',
    columns: OWNED.filter((column) => column !== 'Telephone'),
  },
  { path: 'order-history', title: 'Order History', columns: OWNED },
  {
    path: 'refund-order',
    title: 'Refunds',
    columns: ['Order Id', 'Email', 'Telephone', 'Date & Time', 'Refund Date', 'Status', 'Action'],
  },
  {
    path: 'chargeback',
    title: 'ChargeBack Orders',
    columns: ['Order Id', 'Email', 'Telephone', 'Date and Time', 'Owner', 'Status', 'Action'],
  },
];

test.describe('an Admin', () => {
  test.use({ as: 'Admin' });

  readingTest(
    'sees each list with its columns and as many orders as the sidebar counts',
    async ({ page }) => {
      for (const { path, title, link = title, columns = STANDARD } of LISTS) {
        await test.step(title, async () => {
          const listed = page.waitForResponse('**/api/admin/get-orders-list/**');
          await page.goto(`/admin/${path}`);
          const { total } = (await (await listed).json()) as { total: number };

          await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible();
          const titles = page.getByRole('table').getByRole('columnheader');
          await expect(titles).toHaveText(['', ...columns]);
          await expect.poll(() => sidebarCount(page, link)).toBe(total);
          await expect(loadedRows(page)).toHaveCount(Math.min(total, 10));
        });
      }
    },
  );

  test('finds an order by part of any identifying field, in any case and script', async ({
    page,
    server,
  }) => {
    await server.importOrders([
      {
        external_reference: 'FIND-1',
        full_name: 'Zoë Ångström-Quill',
        document_number: 'XQ778899',
      },
      { external_reference: 'FIND-2', full_name: '慕容雪晴' },
      { external_reference: 'FIND-3', full_name: 'عبدالرحمن الكيلاني', phone_number: '77000111222' },
    ]);
    await page.goto('/admin/recent-order');
    for (const [text, found] of [
      ['ångström-q', 'Zoë Ångström-Quill'],
      ['FIND-1@TRAVELLER', 'Zoë Ångström-Quill'],
      ['xq7788', 'Zoë Ångström-Quill'],
      ['雪晴', '慕容雪晴'],
      ['الكيلاني', 'عبدالرحمن الكيلاني'],
      ['000111222', 'عبدالرحمن الكيلاني'],
    ] as const) {
      await search(page, text);
      await expect(row(page, found)).toBeVisible();
      await expect(page.getByRole('row')).toHaveCount(2);
    }
    await expect(page).toHaveURL(/\?.*q=000111222/);
  });

  readingTest('sees both texts of an empty result and clears the search', async ({ page }) => {
    await page.goto('/admin/recent-order');
    await search(page, '100%_no such order');
    await expect(page.getByText('No records found')).toBeVisible();
    await expect(page.getByText('No data available in table')).toBeVisible();
    await page.getByRole('button', { name: 'Clear search' }).click();
    await expect(loadedRows(page)).toHaveCount(10);
  });

  readingTest('turns pages, with ellipses, and returns to the same page', async ({ page }) => {
    await page.goto('/admin/order-history');
    const pages = page.getByRole('navigation', { name: 'Pages' });
    const last = SEEDED_ORDERS / 10;
    await expect(pages.getByRole('button', { name: `Page ${last}` })).toBeVisible();
    await expect(page.getByText(`Showing 1 to 10 of ${SEEDED_ORDERS}`)).toBeVisible();

    await pages.getByRole('button', { name: `Page ${last}` }).click();
    await pages.getByRole('button', { name: 'Previous page' }).click();
    await expect(pages.getByRole('button', { name: `Page ${last - 1}` })).toHaveAttribute(
      'aria-current',
      'page',
    );
    await expect(pages).toContainText('…');
    await expect(page).toHaveURL(new RegExp(`page=${last - 1}`));

    await page.getByRole('link', { name: /^View/ }).first().click();
    await expect(page).toHaveURL(/\/admin\/view-order\//);
    await page.goBack();
    await expect(pages.getByRole('button', { name: `Page ${last - 1}` })).toHaveAttribute(
      'aria-current',
      'page',
    );
  });

  readingTest(
    'chooses how many rows a page has, and All scrolls through every order',
    async ({ page }) => {
      await page.goto('/admin/order-history');
      const rows = page.getByLabel('Rows');
      await expect(rows.getByRole('option')).toHaveText(['10', '25', '50', '100', '500', 'All']);
      await rows.selectOption('25');
      await expect(loadedRows(page)).toHaveCount(25);

      await rows.selectOption('All');
      const table = page.getByRole('table');
      await expect(table).toHaveAttribute('aria-rowcount', String(SEEDED_ORDERS + 1));
      await table.evaluate((table) => {
        const scroller = table.parentElement;
        scroller?.scrollTo({ top: scroller.scrollHeight });
      });
      await expect(page.locator(`tr[aria-rowindex="${SEEDED_ORDERS + 1}"]`)).toContainText(/\d{6}/);
    },
  );

  readingTest(
    'keeps the table header in view while the rows scroll in 550 pixels',
    { tag: '@screen' },
    async ({ page }) => {
      await page.goto('/admin/order-history?limit=25');
      await expect(loadedRows(page)).toHaveCount(25);
      const table = page.getByRole('table');
      const scroller = table.locator('..');
      expect((await scroller.boundingBox())?.height).toBe(550);
      const head = page.getByRole('columnheader', { name: 'Email' });
      const before = (await head.boundingBox())!.y;
      await scroller.evaluate((element) => element.scrollTo({ top: element.scrollHeight }));
      await expect(page.getByRole('row').last()).toBeInViewport();
      expect((await head.boundingBox())!.y).toBe(before);
    },
  );

  test('assigns orders, unassigns one, and undoes that', async ({ page, server }) => {
    await server.importOrders([{ external_reference: 'TAKE-1' }, { external_reference: 'TAKE-2' }]);
    await page.goto('/admin/recent-order');
    await select(page, 'Traveller TAKE-1', 'Traveller TAKE-2');
    await expect(page.getByText('2 on this page selected')).toBeVisible();
    await page.getByRole('button', { name: 'Assign to me' }).click();
    await confirm(page, 'Are you sure want to assigned orders.');
    await expectToast(page, 'status', 'Order has been assigned successfully');
    await expect(row(page, 'TAKE-1')).toHaveCount(0);

    await openFolder(page, 'My Orders');
    const view = row(page, 'TAKE-1').getByRole('link', { name: /^View/ });
    await expect(view).toHaveCSS('background-color', 'rgb(236, 239, 243)');
    await select(page, 'Traveller TAKE-1');
    await page.getByRole('button', { name: 'Move to Original Folder' }).click();
    await confirm(page, 'Are you sure want to move orders to new orders.');
    await expect(row(page, 'TAKE-1')).toHaveCount(0);
    await undoChange(page, 'Order has been moved to its original folder successfully');
    await expect(row(page, 'TAKE-1')).toBeVisible();
    await expect(row(page, 'TAKE-2')).toBeVisible();
  });

  test('deletes an order after confirming, and restores it', async ({ page, server }) => {
    await server.importOrders([{ external_reference: 'GONE-1' }]);
    await page.goto('/admin/recent-order');
    await row(page, 'Traveller GONE-1')
      .getByRole('button', { name: /^Delete/ })
      .click();
    await confirm(page, 'Are you sure you want to delete?');
    await expectToast(page, 'status', 'Order has been deleted successfully');
    await expect(row(page, 'GONE-1')).toHaveCount(0);

    await openFolder(page, 'Deleted Order');
    await search(page, 'Traveller GONE-1');
    await select(page, 'Traveller GONE-1');
    await page.getByRole('button', { name: 'Restore' }).click();
    await confirm(page, 'Are you sure you want to restore the selected orders?');
    await expect(row(page, 'GONE-1')).toHaveCount(0);
    await openFolder(page, 'New Orders');
    await expect(row(page, 'Traveller GONE-1')).toBeVisible();
  });

  test('sees who was quicker and continues without that order', async ({ page, server }) => {
    await server.importOrders([{ external_reference: 'RACE-1' }, { external_reference: 'RACE-2' }]);
    await page.goto('/admin/recent-order');
    await select(page, 'Traveller RACE-1', 'Traveller RACE-2');
    const id = Number(await row(page, 'Traveller RACE-1').getByRole('cell').nth(1).innerText());
    await server.call('Team', 'PUT', 'admin/assign-order-status', {
      orderId: [id],
      assignto: STAFF.Team.name,
    });

    await page.getByRole('button', { name: 'Assign to me' }).click();
    await confirm(page, 'Are you sure want to assigned orders.');
    await expectToast(page, 'alert', new RegExp(`${id}.*${STAFF.Team.name}`));
    await page.getByRole('button', { name: 'Leave it out and try again' }).click();
    await expectToast(page, 'status', 'Order has been assigned successfully');
    await openFolder(page, 'My Orders');
    await expect(row(page, 'Traveller RACE-2')).toBeVisible();
    await expect(row(page, 'Traveller RACE-1')).toHaveCount(0);
  });

  test('works a list from the keyboard', { tag: '@screen' }, async ({ page, server }) => {
    await server.importOrders([{ external_reference: 'KEYS-1' }]);
    await page.goto('/admin/recent-order');
    await expect(row(page, 'Traveller KEYS-1')).toBeVisible();
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await expect(page.getByText('1 on this page selected')).toBeVisible();
    await page.keyboard.press('a');
    await page.keyboard.press('Enter');
    await expectToast(page, 'status', 'Order has been assigned successfully');
    await page.keyboard.press('g');
    await page.keyboard.press('m');
    await expect(page).toHaveURL('/admin/my-order');
    await expect(row(page, 'Traveller KEYS-1')).toBeVisible();
  });

  readingTest(
    'cancels a delete with Escape, and nothing is sent',
    { tag: '@screen' },
    async ({ page }) => {
      const changes: string[] = [];
      page.on('request', (request) => {
        if (request.method() !== 'GET') changes.push(request.url());
      });
      await page.goto('/admin/recent-order');
      const remove = page
        .getByRole('row')
        .nth(1)
        .getByRole('button', { name: /^Delete/ });
      await remove.click();
      await expect(page.getByRole('dialog')).toContainText('Are you sure you want to delete?');
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
      await expect(remove).toBeFocused();
      await page.reload();
      await expect(loadedRows(page)).toHaveCount(10);
      expect(changes).toEqual([]);
    },
  );

  test(
    'deletes one order with Enter, Enter, and not the next one',
    { tag: '@screen' },
    async ({ page, server }) => {
      await server.importOrders([
        { external_reference: 'ENTER-1' },
        { external_reference: 'ENTER-2' },
      ]);
      const deletions: unknown[] = [];
      page.on('request', (request) => {
        if (request.url().endsWith('/change-order-status')) deletions.push(request.postDataJSON());
      });
      await page.goto('/admin/recent-order');
      const first = loadedRows(page).first();
      const id = Number(await first.getByRole('cell').nth(1).innerText());
      await first.getByRole('button', { name: /^Delete/ }).focus();
      await page.keyboard.press('Enter');
      await expect(page.getByRole('button', { name: 'Yes, delete' })).toBeFocused();
      await page.keyboard.press('Enter');
      await expectToast(page, 'status', 'Order has been deleted successfully');
      await expect(row(page, String(id))).toHaveCount(0);
      // The row that took the place of the deleted one.
      await expect(loadedRows(page).first()).toBeFocused();
      await expect(page.getByRole('dialog')).toHaveCount(0);
      await page.keyboard.press('j');
      await expect(loadedRows(page).nth(1)).toBeFocused();
      expect(deletions).toMatchObject([{ orderId: [id], updatingStatus: 'Deleted' }]);
    },
  );

  readingTest('sees a list that fits every width', async ({ page }) => {
    await page.goto('/admin/recent-order');
    await expect(loadedRows(page)).toHaveCount(10);
    await inspect(page, 'list');
  });
});

test.describe('a Team member', () => {
  test.use({ as: 'Team' });

  readingTest(
    'is offered no Delete, neither for a row nor for many',
    { tag: '@screen' },
    async ({ page }) => {
      await page.goto('/admin/recent-order');
      await expect(loadedRows(page)).toHaveCount(10);
      await expect(page.getByRole('button', { name: /^Delete/ })).toHaveCount(0);
      await page.getByLabel('Select all').check();
      await expect(page.getByRole('button', { name: 'Assign to me' })).toBeVisible();
      await expect(page.getByRole('button', { name: 'Delete Order' })).toHaveCount(0);
    },
  );

  test('sees no telephone number in Contact Customer, on the screen or in a response', async ({
    page,
    server,
  }) => {
    await server.importOrders([
      {
        external_reference: 'QUIET-1',
        phone_number: '85551234321',
        process_status: 'Contact Customer',
      },
    ]);
    const listed = page.waitForResponse('**/api/admin/get-orders-list/contactCustomerOrder*');
    await page.goto('/admin/contact-customer');
    await expect(row(page, 'Traveller QUIET-1')).toBeVisible();
    expect(await (await listed).text()).not.toContain('5551234321');
    await expect(page.getByText('5551234321')).toHaveCount(0);
  });
});
