import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { delay } from 'msw';
import { expect, test, vi } from 'vitest';
import type { FoundOrder } from '@/api/types';
import { paths } from '@/paths/staffPaths';
import { allowedInList, allowedOnDetail } from '@/testing/allowed';
import { go, openApp, place } from '@/testing/openApp';
import { openNewOrders } from '@/testing/openList';
import { openOrder } from '@/testing/openOrder';
import { answerDetails, detailsOf } from '@/testing/orderDetails';
import {
  counts,
  get,
  listOf,
  member,
  orderNumber,
  refusal,
  server,
  signedInAs,
  success,
  takePuts,
  takeUndos,
  undoOf,
} from '@/testing/server';

const found = (id: number, fields: Partial<FoundOrder> = {}): FoundOrder => ({
  order_id: id,
  order_number: `VD-${id}`,
  process_status: 'Completed',
  full_name: 'Emily Clarke',
  contact_email_address: 'emily@post.example',
  folder: 'completedOrder',
  ...fields,
});

/** Serves searches: `results` says what each text finds, other texts find nothing. Returns the texts. */
function answerSearches(results: Record<string, FoundOrder[]>): string[] {
  const asked: string[] = [];
  server.use(
    get('/api/admin/find-orders', ({ request }) => {
      const text = new URL(request.url).searchParams.get('q') ?? '';
      asked.push(text);
      return success({ data: results[text] ?? [] });
    }),
  );
  return asked;
}

const field = () => screen.findByRole('combobox', { name: 'Find an order, folder or action' });
const options = () =>
  [...document.querySelectorAll('dialog [role="option"]')].map(({ textContent }) => textContent);
const namesIn = (group: string) =>
  within(screen.getByRole('group', { name: group }))
    .getAllByRole('option')
    .map(({ textContent }) => textContent ?? '');
const active = async () =>
  document.getElementById((await field()).getAttribute('aria-activedescendant') ?? '');

async function openPalette(user: UserEvent, text = '') {
  await user.keyboard('{Control>}k{/Control}');
  await field();
  if (text) await user.keyboard(text);
}

/** Opens New Orders with two orders, of which the first is selected, and the palette over it. */
async function openOverList(text: string) {
  const user = await openNewOrders([orderNumber(100234), orderNumber(100235)]);
  await user.click(await screen.findByRole('checkbox', { name: 'Select 100234' }));
  await openPalette(user, text);
  return user;
}

test('the key, and the field of the top bar, open the palette; Escape and the key close it', async () => {
  signedInAs(member());
  const user = await openApp(paths.home);
  await user.click(await screen.findByRole('button', { name: 'Find an order, folder or action' }));
  expect(await field()).toHaveFocus();
  await user.keyboard('{Control>}k{/Control}');
  expect(screen.queryByRole('dialog')).toBeNull();
  await openPalette(user);
  await user.click(screen.getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('what is typed right after the key arrives, also while the member is loading', async () => {
  signedInAs(member());
  let load: (() => void) | undefined;
  const loaded = new Promise<void>((resolve) => {
    load = resolve;
  });
  server.use(
    get('/api/user_info', async () => {
      await loaded;
      return success({ data: member() });
    }),
  );
  const user = await openApp(paths.home);
  await user.keyboard('{Control>}k{/Control}new o');
  expect(screen.getByRole('combobox')).toHaveValue('new o');
  await user.keyboard('{Backspace}{Backspace}');
  load?.();
  await waitFor(() => expect(options()).toEqual([`New Orders${counts.newOrdersCount}gn`]));
  expect(screen.getByRole('combobox')).toHaveFocus();
  expect(screen.getByRole('combobox')).toHaveValue('new');
});

test('the key works in a field, and with shortcuts switched off; the help lists it', async () => {
  const user = await openNewOrders([orderNumber(100234)]);
  await user.click(await screen.findByRole('searchbox'));
  await openPalette(user, 'keyboard{Enter}');
  const help = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }));
  expect(help.getByText('Find an order, folder or action')).toBeVisible();
  await user.click(help.getByRole('checkbox', { name: 'Use keyboard shortcuts' }));
  await user.click(help.getByRole('button', { name: 'OK' }));
  await openPalette(user, 'new o');
  expect(options()).toEqual([`New Orders${counts.newOrdersCount}`]);
});

test('a folder is found by the beginnings of its words, with its count and keys, and opens', async () => {
  signedInAs(member());
  server.use(listOf('priorityOrder', []));
  const user = await openApp(paths.home);
  await openPalette(user, 'ord pri');
  await waitFor(() =>
    expect(options()).toEqual([`Priority Orders${counts.priorityOrdersCount}gp`]),
  );
  await user.keyboard('{Enter}');
  await waitFor(() => expect(place()).toBe(paths.priorityOrder));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('only the folders and screens are offered that this person may open', async () => {
  signedInAs(member({ see_audit: true }));
  const user = await openApp(paths.home);
  await openPalette(user);
  const titles = namesIn('Folders and screens');
  expect(titles[0]).toBe('Dashboardgh');
  for (const seen of ['Deleted Order', 'Refund Approvals', 'Country Order List', 'Audit']) {
    expect(titles.some((title) => title.startsWith(seen))).toBe(true);
  }
  for (const hidden of ['Order History', 'Manage Team', 'Gateway Setting', 'API Keys']) {
    expect(titles.some((title) => title.startsWith(hidden))).toBe(false);
  }
});

test('orders are searched once typing pauses, and Enter opens the chosen one', async () => {
  const asked = answerSearches({ emily: [found(100234), found(100235)] });
  answerDetails(() => detailsOf(100235));
  const user = await openOverList('emily');
  await waitFor(() => expect(options()).toHaveLength(3));
  expect(options()[0]).toBe('100234Emily Clarkeemily@post.exampleCompleted Orders');
  expect(asked).toEqual(['emily']);
  expect(await active()).toHaveTextContent('100234');
  await user.keyboard('{ArrowDown}');
  expect(await active()).toHaveTextContent('100235');
  await user.keyboard('{Enter}');
  await waitFor(() => expect(place()).toBe(paths.viewOrder(100235)));
  expect(await screen.findByRole('link', { name: 'Back to list' })).toBeVisible();
});

test('Enter that comes before the only order opens it when it arrives', async () => {
  answerSearches({ 'VD-100234': [found(100234)] });
  signedInAs(member());
  answerDetails(() => detailsOf(100234));
  const user = await openApp(paths.home);
  await openPalette(user, 'VD-100234{Enter}');
  expect(place()).toBe(paths.home);
  await waitFor(() => expect(place()).toBe(paths.viewOrder(100234)));
});

test('an order shows its number as it was typed, and the folder that has it', async () => {
  const taken = { process_status: 'New', folder: 'allOrder' } as const;
  answerSearches({ 'vd-100': [found(100235, taken), found(100234)], '100': [found(100234)] });
  signedInAs(member());
  const user = await openApp(paths.home);
  await openPalette(user, 'vd-100');
  const rest = 'Emily Clarkeemily@post.example';
  await waitFor(() =>
    expect(options()).toEqual([
      `VD-100235${rest}Order History`,
      `VD-100234${rest}Completed Orders`,
      'See all results for “vd-100”',
    ]),
  );
  expect(document.querySelector('dialog mark')).toHaveTextContent('VD-100');
  await user.clear(await field());
  await user.keyboard('100');
  await waitFor(() => expect(options()).toEqual([`100234${rest}Completed Orders`]));
});

test('an order shows the comment or the field that has the text, and all results open as a list', async () => {
  answerSearches({
    photo: [
      found(100235, { found_in: 'comment', excerpt: 'Asked for a photo.' }),
      found(100234, { found_in: 'passport_number' }),
      found(100233, { found_in: 'name', full_name: 'Photoula Ray' }),
    ],
  });
  signedInAs(member());
  server.use(listOf('allOrder', []));
  const user = await openApp(paths.home);
  await openPalette(user, 'photo');
  await waitFor(() => expect(options()).toHaveLength(4));
  expect(options()[0]).toBe('100235Emily Clarke“Asked for a photo.”Completed Orders');
  expect(options()[1]).toBe('100234Emily ClarkeIn the passport numberCompleted Orders');
  expect(options()[2]).toBe('100233Photoula Rayemily@post.exampleCompleted Orders');
  expect(screen.getByText('3 results')).toBeInTheDocument();
  await user.keyboard('{ArrowUp}{Enter}');
  await waitFor(() => expect(place()).toBe(`${paths.orderHistory}?q=photo`));
});

test('without a text, the orders that were opened before come first, without the one on the screen', async () => {
  const user = await openOrder();
  answerDetails((id) => detailsOf(id, { full_name: 'Mia Larsen' }));
  await go(paths.viewOrder(100235));
  await screen.findByRole('heading', { name: /100235/ });
  await openPalette(user);
  expect(namesIn('Recent orders')).toEqual([
    '100234emily_rose_clarkeemily.clarke@post.exampleAwaiting Customer',
  ]);
  await user.keyboard('{Enter}');
  await waitFor(() => expect(place()).toBe(paths.viewOrder(100234)));
  await openPalette(user);
  expect(namesIn('Recent orders')).toHaveLength(1);
  expect(namesIn('Recent orders')[0]).toContain('100235Mia Larsen');
});

test('a late answer never replaces that of a newer text', async () => {
  const answers: Record<string, FoundOrder[]> = {
    emi: [found(100111)],
    'emily c': [found(100234)],
  };
  const answered: string[] = [];
  server.use(
    get('/api/admin/find-orders', async ({ request }) => {
      const text = new URL(request.url).searchParams.get('q') ?? '';
      if (text === 'emi') await delay(400);
      answered.push(text);
      return success({ data: answers[text] ?? [] });
    }),
  );
  signedInAs(member());
  const user = await openApp(paths.home);
  await openPalette(user, 'emi');
  await delay(250);
  await user.keyboard('ly c');
  await waitFor(() => expect(options()).toHaveLength(1));
  await waitFor(() => expect(answered).toEqual(['emily c', 'emi']));
  await delay(50);
  expect(options()[0]).toMatch(/^100234/);
});

test('orders that arrive above a folder do not change what Enter opens', async () => {
  answerSearches({ de: [found(100234, { full_name: 'Deniz Yıldız' })] });
  signedInAs(member());
  server.use(listOf('deletedOrder', []));
  const user = await openApp(paths.home);
  await openPalette(user, 'de');
  expect(await active()).toHaveTextContent('Deleted Order');
  await waitFor(() => expect(options()[0]).toMatch(/^100234/));
  expect(await active()).toHaveTextContent('Deleted Order');
  await user.keyboard('{Enter}');
  await waitFor(() => expect(place()).toBe(paths.deletedOrder));
});

test('one letter searches no orders, and a text without results says so', async () => {
  const asked = answerSearches({});
  signedInAs(member());
  const user = await openApp(paths.home);
  await openPalette(user, 'q');
  expect(screen.getByText('Type one more letter or digit to search orders.')).toBeVisible();
  await user.keyboard('q');
  expect(await screen.findByText('No order, folder or action matches “qq”.')).toBeVisible();
  expect(asked).toEqual(['qq']);
});

test('a search that fails says why and can be repeated', async () => {
  answerSearches({ emily: [found(100234)] });
  server.use(get('/api/admin/find-orders', () => refusal(500, 'Incident 4f2a'), { once: true }));
  signedInAs(member());
  const user = await openApp(paths.home);
  await openPalette(user, 'emily');
  expect(await screen.findByText('The orders could not be searched. Incident 4f2a')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(options()).toHaveLength(1));
});

test('an order opens in a new tab with Control and Enter, and the palette stays', async () => {
  const open = vi.spyOn(window, 'open').mockReturnValue(null);
  answerSearches({ emily: [found(100234)] });
  signedInAs(member());
  const user = await openApp(paths.home);
  await openPalette(user, 'emily');
  await waitFor(() => expect(options()).toHaveLength(1));
  await user.keyboard('{Control>}{Enter}{/Control}');
  expect(open.mock.calls).toEqual([[paths.viewOrder(100234), '_blank', 'noopener']]);
  expect(screen.getByRole('dialog')).toBeVisible();
});

test('the actions on the selected orders run, and Undo is an action too', async () => {
  const undone = takeUndos();
  const sent = takePuts('/api/admin/assign-order-status', () =>
    success(undoOf(4711), 'Order has been assigned successfully'),
  );
  const user = await openOverList('assign');
  expect(options()).toEqual(['Assign to me…1 selecteda']);
  await user.keyboard('{Enter}');
  await user.click(await screen.findByRole('button', { name: 'Yes, assign' }));
  await screen.findByText('Order has been assigned successfully');
  expect(sent).toEqual([{ orderId: [100234], assignto: 'Ayu Lestari' }]);

  await openPalette(user, 'undo');
  expect(options()).toEqual(['UndoOrder has been assigned successfullyu']);
  await user.keyboard('{Enter}');
  await waitFor(() => expect(undone).toEqual([4711]));
  await openPalette(user, 'undo');
  expect(options()).toEqual([]);
});

test('without a selection, and for orders that do not allow it, there is no action', async () => {
  const closed = { allowed: allowedInList({ delete: false }) };
  const user = await openNewOrders([orderNumber(100234, closed)]);
  await screen.findByRole('row', { name: /100234/ });
  await openPalette(user);
  const ofList = [
    'Filter this list',
    'Compact rows',
    'Take nextt',
    'Keyboard shortcuts?',
    'Logout',
  ];
  expect(namesIn('Actions')).toEqual(ofList);
  await user.click(screen.getByRole('button', { name: 'Close' }));
  await user.click(screen.getByRole('checkbox', { name: 'Select 100234' }));
  await openPalette(user);
  expect(namesIn('Actions')).toEqual([
    'Assign to me…1 selecteda',
    'Filter this list',
    'Compact rows',
    'Take nextt',
    'Keyboard shortcuts?',
    'Logout',
  ]);
});

test('the moves of an order are offered as the server allows them, and run', async () => {
  const sent = takePuts('/api/admin/move-order-status', () =>
    success(undoOf(4711), 'Order has been moved'),
  );
  const user = await openOrder({
    allowed: allowedOnDetail({ moves: ['Completed'], assign_to_me: false, delete: false }),
  });
  await openPalette(user, 'move');
  expect(options()).toEqual(['Move to Completed OrdersOrder 100234']);
  await user.keyboard('{Enter}');
  await screen.findByText('Order has been moved');
  expect(sent).toMatchObject([{ orderId: [100234], updatingStatus: 'Completed' }]);
});

test('of several actions the chosen one runs, and one that deletes is marked', async () => {
  const sent = takePuts('/api/admin/move-order-status', () =>
    success(undoOf(4711), 'Order has been moved'),
  );
  const user = await openOrder({
    allowed: allowedOnDetail({ moves: ['Completed', 'Awaiting'], delete: true }),
  });
  await openPalette(user, 'delete');
  const marked = document.querySelectorAll('dialog [data-danger]');
  expect([...marked].map(({ textContent }) => textContent)).toEqual(['Delete Order…']);
  await user.clear(await field());
  await user.keyboard('move to');
  const [first, second, ...others] = options();
  expect([first, others]).toEqual(['Move to Completed OrdersOrder 100234', []]);
  await user.keyboard('{ArrowDown}');
  expect((await active())?.textContent).toBe(second);
  await user.keyboard('{Enter}');
  await waitFor(() => expect(sent).toMatchObject([{ updatingStatus: 'Awaiting' }]));
  expect(document.querySelector('dialog [data-danger]')).toBeNull();
});

test('a refund mark is taken back from the palette where the server allows it', async () => {
  const user = await openOrder({ allowed: allowedOnDetail({ take_back_refund: true }) });
  await openPalette(user, 'mark back');
  expect(options()).toEqual(['Take refund mark back…Order 100234']);
  await user.keyboard('{Enter}');
  expect(await screen.findByRole('dialog', { name: /refund mark/i })).toBeVisible();
});
