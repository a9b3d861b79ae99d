import type { Locator, Page } from '@playwright/test';

import {
  confirm,
  expectToast,
  loadedRows,
  open,
  row,
  search,
  undoChange,
} from '../support/staffActions.ts';
import { inspect } from '../support/visualChecks.ts';
import { daysAhead, monthOf } from '../support/orders.ts';
import { STAFF } from '../support/staff.ts';
import { expect, readingTest, test } from '../support/test.ts';

const SECTIONS = [
  'Order Details',
  'Visa Type Information',
  'Applicant And Passport Image',
  'Personal and Contact Information',
  'Document Information',
  'Address in Indonesia',
  'Main document',
  'Comment History',
  'Email History',
  'Download History',
];

/** The targets of the Move buttons. The order's own status is not offered. */
const TARGETS = [
  'Awaiting Response',
  'Completed Refunds',
  'Completed Orders',
  'Delete',
  'Contact Customer',
  'Awaiting Govt',
  'Customer Called',
  'ChargeBack',
];

const actions = (page: Page): Locator => page.getByRole('region', { name: 'Actions' });

const fact = (page: Page, label: string): Locator =>
  page
    .getByRole('term')
    .filter({ hasText: new RegExp(`^${label}$`) })
    .locator('xpath=following-sibling::dd[1]');

test.describe('an Admin', () => {
  test.use({ as: 'Admin' });

  test('sees the fields of the order, labelled as in the form', async ({ page, server }) => {
    await server.importOrders([
      {
        external_reference: 'READ-1',
        full_name: 'anna_maria LINDQVIST',
        signature_name: 'A. Lindqvist',
        passport_from: 'Sweden',
        date_of_birth: '1990-02-28',
        document_number: 'SE1234567',
        city: 'Denpasar',
      },
    ]);
    await page.goto('/admin/recent-order');
    await search(page, 'READ-1');
    await open(page, 'READ-1');

    for (const section of SECTIONS) {
      await expect(page.getByRole('heading', { name: section, exact: true })).toBeVisible();
    }
    const id = (await page.getByRole('heading', { level: 1 }).innerText()).replaceAll(/\D/g, '');
    for (const [label, text] of [
      ['Application Email Address', new RegExp(`^${id}@`)],
      ['Contact Email', 'read-1@traveller.example'],
      ['Processing Mode', 'Standard Processing'],
      ['Signature Name', 'A. Lindqvist'],
      ['Passport Country', 'Sweden'],
      ['Visa Type', /C1/],
      ['Full Name', 'Anna Maria'],
      ['Phone', '+62 812-3456-7890'],
      ['Document Number', 'SE1234567'],
      ['City', 'Denpasar'],
    ] as const) {
      await expect(fact(page, label)).toContainText(text);
    }
  });

  readingTest('is offered every move except to the current status', async ({ page }) => {
    await page.goto('/admin/awaiting-govt');
    await page.getByRole('link', { name: /^View/ }).first().click();
    const offered = actions(page).getByRole('button');
    for (const target of TARGETS) {
      await expect(offered.filter({ hasText: new RegExp(`^${target}$`) })).toHaveCount(
        target === 'Awaiting Govt' ? 0 : 1,
      );
    }
  });

  test('moves an order and undoes it', async ({ page, server }) => {
    await server.importOrders([{ external_reference: 'MOVE-1' }]);
    await page.goto('/admin/recent-order');
    await open(page, 'Traveller MOVE-1');
    await actions(page).getByRole('button', { name: 'Contact Customer' }).click();
    await expect(actions(page).getByRole('button', { name: 'Contact Customer' })).toHaveCount(0);

    await undoChange(page, 'Order has been moved to Contact Customer successfully');
    await expect(actions(page).getByRole('button', { name: 'Contact Customer' })).toBeVisible();
    await page.getByRole('link', { name: 'Back to list' }).click();
    await expect(page).toHaveURL('/admin/recent-order');
    await expect(row(page, 'Traveller MOVE-1')).toBeVisible();
  });

  test('undoes a move by its key, unless another member changed the order since', async ({
    page,
    server,
  }) => {
    await server.importOrders([{ external_reference: 'UNDO-1' }]);
    await page.goto('/admin/recent-order');
    await open(page, 'Traveller UNDO-1');
    const id = (await page.getByRole('heading', { level: 1 }).innerText()).replaceAll(/\D/g, '');
    const completed = actions(page).getByRole('button', { name: 'Completed Orders' });
    await completed.click();
    await expectToast(page, 'status', 'Order has been moved to Completed successfully');
    await page.keyboard.press('u');
    await expectToast(page, 'status', `Undone: order ${id} is as it was before`);
    await expect(completed).toBeVisible();

    await completed.click();
    await expect(completed).toHaveCount(0);
    await server.call('Manager', 'PUT', 'admin/change-order-status', {
      orderId: [Number(id)],
      updatingStatus: 'Customer Called',
    });
    await page.keyboard.press('u');
    await expectToast(
      page,
      'alert',
      new RegExp(`^Nothing was undone: order ${id} was changed by ${STAFF.Manager.name} at `),
    );
    await expect(actions(page).getByRole('button', { name: 'Customer Called' })).toHaveCount(0);
  });

  test('cannot move an order that another member has just moved', async ({ page, server }) => {
    await server.importOrders([{ external_reference: 'STALE-1' }]);
    // The stream of changes has not told of it yet.
    await page.route('**/api/admin/live', () => {});
    await page.goto('/admin/recent-order');
    await open(page, 'Traveller STALE-1');
    const id = (await page.getByRole('heading', { level: 1 }).innerText()).replaceAll(/\D/g, '');
    // Only then does the screen show the order as it was before the other member's move.
    await expect(actions(page).getByRole('button', { name: 'Completed Orders' })).toBeVisible();
    await server.call('Manager', 'PUT', 'admin/change-order-status', {
      orderId: [Number(id)],
      updatingStatus: 'Customer Called',
    });
    await actions(page).getByRole('button', { name: 'Completed Orders' }).click();
    await expectToast(
      page,
      'alert',
      new RegExp(`^Nothing was changed: order ${id} was changed by ${STAFF.Manager.name} at `),
    );
    await expect(actions(page).getByRole('button', { name: 'Customer Called' })).toHaveCount(0);
    await expect(actions(page).getByRole('button', { name: 'Completed Orders' })).toBeVisible();
  });

  test('steps through the list with [ and ], and reads a comment', async ({ page, server }) => {
    await page.goto('/admin/completed-order');
    const first = loadedRows(page).first();
    const orderId = Number(await first.getByRole('cell').nth(1).innerText());
    await server.call('Team', 'POST', 'admin/add-new-remark', {
      orderId,
      remark: 'Asked for a new photo.',
      remarkerName: STAFF.Team.name,
    });
    await first.getByRole('link', { name: /^View/ }).click();
    const place = page.getByRole('navigation', { name: 'List' });
    await expect(place.getByText(/^1 of \d+$/)).toBeVisible();
    await page.keyboard.press(']');
    await expect(place.getByText(/^2 of \d+$/)).toBeVisible();
    await page.keyboard.press('[');
    await expect(place.getByText(/^1 of \d+$/)).toBeVisible();

    const comments = page.getByRole('region', { name: 'Comment History' });
    const entry = comments.getByRole('row').filter({ hasText: STAFF.Team.name }).first();
    await expect(comments.getByText('Asked for a new photo.')).toBeVisible();
    await entry.getByRole('button', { name: /^Hide comment/ }).click();
    await expect(comments.getByText('Asked for a new photo.')).toBeHidden();
    await entry.getByRole('button', { name: /^Show comment/ }).click();
    await expect(comments.getByText('Asked for a new photo.')).toBeVisible();
  });

  readingTest('sees that an unknown order does not exist', async ({ page }) => {
    await page.goto(`/admin/view-order/${encodeURIComponent(btoa('1998'))}`);
    await expect(page.getByText('This order does not exist')).toBeVisible();
    await page.goto('/admin/view-order/nonsense');
    await expect(page.getByText('This order does not exist')).toBeVisible();
  });

  readingTest('sees an order that fits every width', async ({ page }) => {
    await page.goto('/admin/completed-order');
    await page.getByRole('link', { name: /^View/ }).first().click();
    await expect(page.getByRole('heading', { name: 'Main document' })).toBeVisible();
    await inspect(page, 'detail');
  });
});

test.describe('a Team member', () => {
  test.use({ as: 'Team' });

  test('may delete future orders and no others', async ({ page, server }) => {
    await page.goto('/admin/awaiting-response');
    await page.getByRole('link', { name: /^View/ }).first().click();
    await expect(actions(page).getByRole('button', { name: 'Awaiting Govt' })).toBeVisible();
    await expect(actions(page).getByRole('button', { name: /^Delete/ })).toHaveCount(0);

    const day = daysAhead(400);
    const { year, month } = monthOf(day);
    await server.importOrders([
      { external_reference: 'WAITS-1', process_status: 'Future', processing_date: day },
    ]);
    await page.goto(`/admin/future-order?year=${year}&month=${month}`);
    await open(page, 'Traveller WAITS-1');
    await actions(page)
      .getByRole('button', { name: /^Delete/ })
      .click();
    await confirm(page, 'Are you sure you want to delete?');
    await expectToast(page, 'status', 'Order has been deleted successfully');
  });
});
