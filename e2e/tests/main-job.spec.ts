/** The main job from end to end, on SQLite and on PostgreSQL. */

import {
  confirm,
  expectToast,
  open,
  openFolder,
  row,
  search,
  select,
  sidebarCount,
} from '../support/staffActions.ts';
import { PASSWORD, STAFF } from '../support/staff.ts';
import { expect, test } from '../support/test.ts';

test('orders come in, and staff find, assign, move, delete and restore them', async ({
  page,
  server,
}) => {
  await server.importOrders([{ external_reference: 'JOB-1', full_name: 'Wilhelmina Okonkwo' }]);
  await server.takeIn({
    external_reference: 'JOB-2',
    full_name: '欧阳明月',
    processing_mode: 'Priority Processing',
  });

  await page.goto('/');
  await page.getByLabel('Email ID').fill(STAFF.Manager.email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page.getByText(`Welcome, ${STAFF.Manager.name}`)).toBeVisible();

  await test.step('the order from the sales site is in Pending, because it is not paid', async () => {
    await openFolder(page, 'Pending Orders');
    await search(page, '明月');
    await expect(row(page, '欧阳明月')).toBeVisible();
  });

  await test.step('the imported order is in New and is assigned', async () => {
    await openFolder(page, 'New Orders');
    await search(page, 'wilhelmina');
    const before = await sidebarCount(page, 'New Orders');
    await select(page, 'Wilhelmina Okonkwo');
    await page.getByRole('button', { name: 'Assign to me' }).click();
    await confirm(page, 'Are you sure want to assigned orders.');
    await expectToast(page, 'status', 'Order has been assigned successfully');
    await expect.poll(() => sidebarCount(page, 'New Orders')).toBe(before - 1);
  });

  await test.step('it is opened and moved', async () => {
    await openFolder(page, 'My Orders');
    await open(page, 'Wilhelmina Okonkwo');
    await page
      .getByRole('region', { name: 'Actions' })
      .getByRole('button', { name: 'Awaiting Govt' })
      .click();
    await expectToast(page, 'status', 'Order has been moved to Awaiting Govt successfully');
    await openFolder(page, 'Awaiting Govt');
    await search(page, 'wilhelmina');
    await expect(row(page, 'Wilhelmina Okonkwo')).toBeVisible();
  });

  await test.step('it is deleted, and restored to its folder', async () => {
    await row(page, 'Wilhelmina Okonkwo')
      .getByRole('button', { name: /^Delete/ })
      .click();
    await confirm(page, 'Are you sure you want to delete?');
    await expectToast(page, 'status', 'Order has been deleted successfully');
    await openFolder(page, 'Deleted Order');
    await search(page, 'wilhelmina');
    await select(page, 'Wilhelmina Okonkwo');
    await page.getByRole('button', { name: 'Restore' }).click();
    await confirm(page, 'Are you sure you want to restore the selected orders?');
    await openFolder(page, 'Awaiting Govt');
    await search(page, 'wilhelmina');
    await expect(row(page, 'Wilhelmina Okonkwo')).toBeVisible();
  });
});
