import { screen, waitFor } from '@testing-library/react';
import { delay } from 'msw';
import { expect, test } from 'vitest';
import type { OrderSummary } from '@/api/types';
import { openApp } from '@/testing/openApp';
import { LIST, rowOf } from '@/testing/openList';
import {
  get,
  member,
  orderNumber,
  put,
  refusal,
  server,
  signedInAs,
  success,
  undoOf,
} from '@/testing/server';

const ASSIGN = '/api/admin/assign-order-status';
const CHANGE_STATUS = '/api/admin/change-order-status';

/** Serves `rows` as they are at the time of each request. */
function listFrom(rows: () => OrderSummary[]) {
  return get(LIST, () => {
    const data = rows();
    return success({ data, total: data.length, more: false, page: 1, limit: 10 });
  });
}

test('only rows that remain with the same status stay selected', async () => {
  signedInAs(member());
  let rows = [orderNumber(100234), orderNumber(100235), orderNumber(100236)];
  const sent: unknown[] = [];
  server.use(
    listFrom(() => rows),
    put(ASSIGN, async ({ request }) => {
      sent.push(await request.json());
      // Meanwhile another member took 100234 and moved 100235 on.
      rows = [orderNumber(100235, { process_status: 'Awaiting' }), orderNumber(100236)];
      return refusal(409, 'Nothing was changed: 100234 is already assigned to Ann');
    }),
  );
  const user = await openApp('/admin/recent-order');
  await rowOf(100234);
  await user.click(screen.getByRole('checkbox', { name: 'Select all' }));
  expect(screen.getByText('3 selected')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Assign to me' }));
  await user.click(screen.getByRole('button', { name: 'Yes, assign' }));
  expect(await screen.findByText('1 selected')).toBeVisible();
  expect(screen.getByRole('checkbox', { name: 'Select 100235' })).not.toBeChecked();
  await user.click(screen.getByRole('button', { name: 'Assign to me' }));
  await user.click(screen.getByRole('button', { name: 'Yes, assign' }));
  await waitFor(() => expect(sent.at(-1)).toEqual({ orderId: [100236], assignto: 'Ayu Lestari' }));
});

test('a deleted order disappears and can be restored before the list has reloaded', async () => {
  signedInAs(member());
  let isReloadSlow = false;
  server.use(
    get(LIST, async () => {
      if (isReloadSlow) await delay('infinite');
      const data = [orderNumber(100234), orderNumber(100235)];
      return success({ data, total: 2, more: false, page: 1, limit: 10 });
    }),
    put(CHANGE_STATUS, () => {
      isReloadSlow = true;
      return success(undoOf(4711), 'Order has been deleted successfully');
    }),
  );
  const user = await openApp('/admin/pending-order');
  await user.click((await rowOf(100234)).getByRole('button', { name: 'Delete 100234' }));
  await user.click(screen.getByRole('button', { name: 'Yes, delete' }));
  expect(await screen.findByText('Order has been deleted successfully')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Undo' })).toBeVisible();
  expect(screen.queryByRole('row', { name: /100234/ })).toBeNull();
  expect(screen.getByText('Showing 1 to 1 of 1')).toBeVisible();
  expect((await rowOf(100235)).getByText('New')).toBeVisible();
});

test('a row keeps its element when the row above it is removed', async () => {
  signedInAs(member());
  let rows = [orderNumber(100234), orderNumber(100235)];
  server.use(
    listFrom(() => rows),
    put(CHANGE_STATUS, () => {
      rows = [orderNumber(100235)];
      return success({ changed: 1 }, 'Order has been deleted successfully');
    }),
  );
  const user = await openApp('/admin/pending-order');
  const deleted = (await rowOf(100234)).getByRole('button', { name: 'Delete 100234' });
  const neighbour = (await rowOf(100235)).getByRole('button', { name: 'Delete 100235' });
  await user.click(deleted);
  await user.click(screen.getByRole('button', { name: 'Yes, delete' }));
  await waitFor(() => expect(screen.queryByRole('row', { name: /100234/ })).toBeNull());
  // A button that takes over another order's place would take over its focus as well.
  expect(screen.getByRole('button', { name: 'Delete 100235' })).toBe(neighbour);
  expect(deleted).not.toBeInTheDocument();
});

test.each([
  ['62', '081200004417', '+62 081200004417', 'tel:+6281200004417'],
  ['62', '+6281200004417', '+6281200004417', 'tel:+6281200004417'],
  ['39', '06 6982', '+39 06 6982', 'tel:+39066982'],
])('the telephone %s %s is shown as %s and dialled as %s', async (code, number, text, href) => {
  signedInAs(member());
  server.use(listFrom(() => [orderNumber(100234, { country_code: code, phone_number: number })]));
  await openApp('/admin/recent-order');
  const link = (await rowOf(100234)).getByRole('link', { name: text });
  expect(link).toHaveAttribute('href', href);
});
