import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { openApp, place } from '@/testing/openApp';
import { openOrder } from '@/testing/openOrder';
import { answerDetails, detailsOf } from '@/testing/orderDetails';
import {
  member,
  post,
  put,
  server,
  signedInAs,
  success,
  takeUndos,
  undoOf,
} from '@/testing/server';
import { paths } from '@/paths/staffPaths';

const TAKE = '/api/admin/take-next';
const WHY = 'Order 100234 is yours: it is a priority order';

/** The server gives order 100234. Returns the number of calls. */
function givesAnOrder() {
  const calls: string[] = [];
  server.use(
    post(TAKE, ({ request }) => {
      calls.push(request.method);
      return success(
        { ...undoOf(4711), data: { order_id: 100234, reason: 'priority' as const } },
        WHY,
      );
    }),
  );
  answerDetails(() => detailsOf(100234));
  return calls;
}

test('t takes the next order from any screen, opens it and says why, and u gives it back', async () => {
  signedInAs(member());
  const calls = givesAnOrder();
  const undone = takeUndos();
  const user = await openApp(paths.changePassword);
  await screen.findByRole('heading', { level: 1 });
  await user.keyboard('t');
  expect(await screen.findByText(WHY)).toBeVisible();
  await waitFor(() => expect(place()).toBe(paths.viewOrder(100234)));
  expect(await screen.findByRole('heading', { name: 'Order 100234' })).toBeVisible();
  await user.keyboard('u');
  await waitFor(() => expect(undone).toEqual([4711]));
  expect(calls).toHaveLength(1);
});

test('the button of the dashboard says so when no order is free', async () => {
  signedInAs(member());
  const none = 'No order is free to take';
  server.use(post(TAKE, () => success({ data: null, undo: null }, none)));
  const user = await openApp(paths.home);
  await user.click(await screen.findByRole('button', { name: 'Take next' }));
  expect(await screen.findByText(none)).toBeVisible();
  expect(place()).toBe(paths.home);
});

test('after an action that finishes the order, taking the next one is the next step', async () => {
  const me = member().name;
  server.use(
    put('/api/admin/move-order-status', () => success(undoOf(4711), 'Order has been moved')),
  );
  const user = await openOrder({ assign_to: me });
  const button = screen.getByRole('button', { name: 'Take next' });
  expect(button).not.toHaveAttribute('data-kind');
  const filed = detailsOf(100234, { assign_to: me, process_status: 'AwaitingGovt' });
  answerDetails(() => filed);
  await user.click(screen.getByRole('button', { name: 'Awaiting Govt' }));
  await waitFor(() => expect(button).toHaveAttribute('data-kind', 'primary'));
});
