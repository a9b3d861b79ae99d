import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { OrderDetails } from '@/api/types';
import { useLastChange } from '@/features/order/actions/lastChange';
import { allowedOnDetail } from '@/testing/allowed';
import { go, openApp } from '@/testing/openApp';
import { openOrder } from '@/testing/openOrder';
import {
  get,
  member,
  orderNumber,
  post,
  put,
  refusal,
  server,
  signedInAs,
  success,
  takeUndos,
  undoOf,
} from '@/testing/server';

const MOVE = '/api/admin/move-order-status';
const ASSIGN = '/api/admin/assign-order-status';
const UNDO = '/api/admin/undo';

test('u undoes the last change of this tab once, also on another screen', async () => {
  const undone = takeUndos();
  server.use(put(MOVE, () => success(undoOf(4711), 'Order has been moved')));
  const user = await openOrder({ allowed: allowedOnDetail() });
  await user.keyboard('u');
  expect(await screen.findByText('There is nothing to undo')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Awaiting Govt' }));
  expect(await screen.findByText('Order has been moved')).toBeVisible();
  await go('/');
  await user.keyboard('u');
  expect(await screen.findByText('Undone: order 100234 is as it was before')).toBeVisible();
  await user.keyboard('u');
  await waitFor(() => expect(useLastChange.getState().last).toBeNull());
  expect(undone).toEqual([4711]);
});

test('a refused undo says why and is not offered again; one without an answer is', async () => {
  const why = 'Nothing was undone: order 100234 was changed by Budi at 20-11-2026 09:00:00 WIB';
  const answers = [503, 409];
  server.use(
    put(MOVE, () => success(undoOf(4711), 'Order has been moved')),
    post(UNDO, () => refusal(answers.shift() ?? 500, why, 'order_changed_since')),
  );
  const user = await openOrder();
  await user.click(screen.getByRole('button', { name: 'Awaiting Govt' }));
  await screen.findByText('Order has been moved');
  await user.keyboard('u');
  expect(await screen.findByText(why)).toBeVisible();
  expect(useLastChange.getState().last).not.toBeNull();
  await user.keyboard('u');
  await waitFor(() => expect(useLastChange.getState().last).toBeNull());
  expect(answers).toEqual([]);
});

test('after ten minutes there is nothing to undo', async () => {
  const undone = takeUndos();
  server.use(put(MOVE, () => success(undoOf(4711, 0), 'Order has been moved')));
  const user = await openOrder();
  await user.click(screen.getByRole('button', { name: 'Awaiting Govt' }));
  await screen.findByText('Order has been moved');
  await user.keyboard('u');
  expect(await screen.findByText('There is nothing to undo')).toBeVisible();
  expect(undone).toEqual([]);
});

const REMARK: OrderDetails['remark'][number] = {
  id: 7,
  order_id: 100234,
  us_date: '11/20/2026',
  us_time: '04:00:00',
  remark_name: 'Ayu Lestari',
  remark: 'Called',
  whatsapp: '',
  telephone: '',
  status_refund: '',
  voided: '',
  chargeback: '',
  report_error: '',
};

test('after a change that cannot be undone, u does not undo an older one', async () => {
  const undone = takeUndos();
  server.use(
    put(MOVE, () => success(undoOf(4711), 'Order has been moved')),
    post('/api/admin/add-new-remark', () => success({ data: REMARK }, 'The remark has been saved')),
  );
  const user = await openOrder();
  await user.click(screen.getByRole('button', { name: 'Awaiting Govt' }));
  await screen.findByText('Order has been moved');
  await user.type(screen.getByRole('textbox', { name: 'Add Comment Below' }), 'Called');
  await user.click(screen.getByRole('button', { name: 'Save Comment' }));
  await screen.findByText('The remark has been saved');
  (document.activeElement as HTMLElement).blur();
  await user.keyboard('u');
  expect(await screen.findByText('There is nothing to undo')).toBeVisible();
  expect(undone).toEqual([]);
});

/** Assigns 501 orders, which takes two calls, with the events 1 and 2. */
async function assign501() {
  signedInAs(member());
  const rows = Array.from({ length: 501 }, (_, index) => orderNumber(100001 + index));
  let event = 0;
  server.use(
    get('/api/admin/get-orders-list/:orderName', () =>
      success({ data: rows, total: 501, more: false, page: 1, limit: 501 }),
    ),
    put(ASSIGN, () => {
      event += 1;
      return success({ ...undoOf(event), changed: event === 1 ? 500 : 1 }, 'Assigned');
    }),
  );
  const user = await openApp('/admin/recent-order?limit=All');
  await screen.findByText(/^501 orders/);
  await user.click(screen.getByRole('checkbox', { name: 'Select all' }));
  await user.click(screen.getByRole('button', { name: 'Assign to me' }));
  await user.click(screen.getByRole('button', { name: 'Yes, assign' }));
  expect(await screen.findByText('Assigned (501)')).toBeVisible();
  return user;
}

test('a change of more than 500 orders is undone call by call, the last first', async () => {
  const user = await assign501();
  const undone = takeUndos();
  await user.keyboard('u');
  await waitFor(() => expect(undone).toEqual([2, 1]));
});

/** Undoes event 2 and responds to the first call about event 1 with `status`. Returns the events of all calls. */
function refuseFirstUndo(status: number): number[] {
  const events: number[] = [];
  server.use(
    post(UNDO, async ({ request }) => {
      const { eventId } = (await request.json()) as { eventId: number };
      events.push(eventId);
      return eventId === 1 && events.length === 2
        ? refusal(status, 'Nothing was undone: Budi changed order 100001')
        : success(undoOf(9000 + eventId), `Undone: ${eventId}`);
    }),
  );
  return events;
}

const PARTLY =
  'Undone: 2. The next batch was refused. Nothing was undone: Budi changed order 100001';

test('an undo that is refused half-way says what it undid, and nothing is left of it', async () => {
  const user = await assign501();
  const events = refuseFirstUndo(409);
  await user.keyboard('u');
  expect(await screen.findByText(PARTLY)).toBeVisible();
  await user.keyboard('u');
  expect(await screen.findByText('There is nothing to undo')).toBeVisible();
  expect(events).toEqual([2, 1]);
});

test('an undo without an answer half-way goes on from there the next time', async () => {
  const user = await assign501();
  const events = refuseFirstUndo(503);
  await user.keyboard('u');
  expect(await screen.findByText(PARTLY)).toBeVisible();
  await user.keyboard('u');
  expect(await screen.findByText('Undone: 1')).toBeVisible();
  expect(events).toEqual([2, 1, 1]);
});
