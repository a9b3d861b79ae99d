import { act, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { UserInfo } from '@/api/types';
import { allowedOnDetail } from '@/testing/allowed';
import { openApp, place } from '@/testing/openApp';
import { answerDisputes } from '@/testing/chargebacks';
import { answerDetails, detailsOf } from '@/testing/orderDetails';
import { paths } from '@/paths/staffPaths';
import {
  get,
  listOf,
  member,
  orderNumber,
  post,
  put,
  refusal,
  server,
  signedInAs,
  success,
} from '@/testing/server';

const ENDED = 'Your session has ended. Please sign in again.';
const ended = () => refusal(401, ENDED);

const press = async (user: UserEvent, name: string) =>
  user.click(await screen.findByRole('button', { name }));

/** The actions of a member, each with its screen, when the session has just ended. */
const ACTIONS: [what: string, url: string, act: (user: UserEvent) => Promise<void>][] = [
  [
    'a bulk action',
    paths.recentOrder,
    async (user) => {
      await user.click(await screen.findByRole('checkbox', { name: 'Select 100234' }));
      await press(user, 'Assign to me');
      await press(user, 'Yes, assign');
    },
  ],
  ['a move', paths.viewOrder(100234), (user) => press(user, 'Awaiting Govt')],
  [
    'a remark',
    paths.viewOrder(100234),
    async (user) => {
      const remark = await screen.findByRole('textbox', { name: 'Add Comment Below' });
      await user.type(remark, 'Called');
      await press(user, 'Save Comment');
    },
  ],
  ['a defence pack', paths.viewOrder(100234), (user) => press(user, 'Defence Pack 1')],
  [
    'a gateway',
    paths.gatewaySetting,
    async (user) => {
      await user.selectOptions(await screen.findByLabelText('Gateway'), 'Adyen');
      await press(user, 'Active Gateway');
    },
  ],
  [
    'a team member',
    paths.manageTeam,
    async (user) => {
      await press(user, 'Delete Budi');
      await press(user, 'Yes, delete');
    },
  ],
  ['a file', paths.futureYear(2027), (user) => press(user, 'Download as CSV')],
  ['a report', paths.processedOrder, async () => {}],
];

test.each(ACTIONS)('an ended session is reported once: %s', async (_, url, act) => {
  signedInAs(member());
  const budi = {
    id: 2,
    name: 'Budi',
    email: 'budi@visadesk.example',
    password: '********',
    type: 'Team' as const,
    second_factor: false,
    updated_at: '2026-11-20T02:41:07Z',
  };
  server.use(
    listOf('newOrder', [orderNumber(100234)]),
    get('/api/admin/payment-gateways', () =>
      success({ data: [{ id: 2, gateway_name: 'Adyen', is_active: '0' }] }),
    ),
    get('/api/admin/get-team-member-list', () => success({ data: [budi] })),
    get('/api/admin/get-team-member-type', () => success({ data: ['Team' as const] })),
    get('/api/admin/get-future-order-counts', () => success({ data: [] })),
    put('/api/admin/assign-order-status', ended),
    put('/api/admin/move-order-status', ended),
    put('/api/admin/delete-team-member', ended),
    post('/api/admin/add-new-remark', ended),
    post('/api/admin/get-defence-pack-pdf', ended),
    post('/api/admin/payment-gateway-setting', ended),
    post('/api/admin/get-processed-by-count', ended),
    get('/api/admin/future-orders-csv', ended),
  );
  answerDetails(() => detailsOf(100234, { allowed: allowedOnDetail({ make_packs: true }) }));
  answerDisputes();
  const user = await openApp(url);
  await act(user);
  await screen.findByRole('heading', { name: 'Sign in' });
  expect(place()).toBe('/');
  // A second toast would have been added before this form answers.
  await press(user, 'Sign In');
  await screen.findByText('Email Address is required');
  const toasts = screen.getAllByRole('alert').filter((alert) => within(alert).queryByText(ENDED));
  expect(toasts).toHaveLength(1);
});

/** Signs a member in as another tab would. */
function signInElsewhere(me: UserInfo): void {
  signedInAs(me);
  window.dispatchEvent(new StorageEvent('storage', { key: 'user' }));
}

test('a member who signs in in another tab is the one whom the open screen is drawn for', async () => {
  signedInAs(member());
  server.use(listOf('newOrder', [orderNumber(100234)]));
  await openApp(paths.recentOrder);
  await screen.findByText('Welcome, Ayu Lestari');
  signInElsewhere({ ...member({}), id: 2, name: 'Budi Santoso' });
  await screen.findByText('Welcome, Budi Santoso');
  expect(screen.queryByText('Welcome, Ayu Lestari')).toBeNull();
  expect(place()).toBe(paths.recentOrder);
});

test('an open sign-in leads to the dashboard when a member signs in in another tab', async () => {
  await openApp(paths.signIn);
  await screen.findByRole('heading', { name: 'Sign in' });
  signInElsewhere(member());
  await screen.findByText('Welcome, Ayu Lestari');
  expect(place()).toBe(paths.home);
});

/** Signs in on the open sign-in page. */
async function signIn(user: UserEvent, me: UserInfo) {
  const { id, name, email, type } = me;
  const payload = btoa(JSON.stringify({ user: { id, name, type } }));
  server.use(
    post('/api/admin/admin-login', () => {
      signedInAs(me);
      const jwtToken = `head.${payload}.signature`;
      return success({ jwtToken, data: { id, name, email, type } }, 'You are signed in');
    }),
  );
  await user.type(await screen.findByLabelText('Email ID'), email);
  await user.type(screen.getByLabelText('Password'), 'sunny-harbour');
  await user.click(screen.getByRole('button', { name: /^Sign In/ }));
}

const budi = { ...member(), id: 2, name: 'Budi Santoso' };

/** Opens an order whose next remark finds the session ended. */
async function endSessionOnOrder() {
  signedInAs(member());
  server.use(post('/api/admin/add-new-remark', ended));
  answerDetails(() => detailsOf(100234));
  const user = await openApp(paths.viewOrder(100234));
  await user.type(await screen.findByRole('textbox', { name: 'Add Comment Below' }), 'Called');
  await press(user, 'Save Comment');
  await screen.findByRole('heading', { name: 'Sign in' });
  return user;
}

test('after an ended session the member returns to where it ended', async () => {
  const user = await endSessionOnOrder();
  await signIn(user, member());
  expect(await screen.findByRole('textbox', { name: 'Add Comment Below' })).toHaveValue('Called');
  expect(place()).toBe(paths.viewOrder(100234));
});

test('after an ended session another member begins at the dashboard', async () => {
  const user = await endSessionOnOrder();
  await signIn(user, budi);
  expect(await screen.findByRole('heading', { name: 'Dashboard' })).toBeVisible();
  expect(place()).toBe(paths.home);
});

test('after a sign-out a member begins at the dashboard', async () => {
  signedInAs(member());
  server.use(
    listOf('newOrder', []),
    post('/api/admin/sign-out', () => success({})),
  );
  const user = await openApp(paths.recentOrder);
  await user.click(await screen.findByRole('button', { name: 'Logout' }));
  await signIn(user, member());
  expect(await screen.findByRole('heading', { name: 'Dashboard' })).toBeVisible();
});

test('a refusal that could be answered is gone after a sign-out', async () => {
  signedInAs(member());
  const taken = refusal(409, '100234 is already assigned to Budi', 'already_assigned', {
    order_id: 100234,
  });
  server.use(
    listOf('newOrder', [orderNumber(100234), orderNumber(100235)]),
    put('/api/admin/assign-order-status', () => taken),
    post('/api/admin/sign-out', () => success({})),
  );
  const user = await openApp(paths.recentOrder);
  await user.click(await screen.findByRole('checkbox', { name: 'Select 100234' }));
  await user.click(await screen.findByRole('checkbox', { name: 'Select 100235' }));
  await press(user, 'Assign to me');
  await press(user, 'Yes, assign');
  await screen.findByRole('button', { name: 'Leave it out and try again' });
  await press(user, 'Logout');
  await signIn(user, budi);
  expect(screen.queryByRole('button', { name: 'Leave it out and try again' })).toBeNull();
});

test('the outcome of a change is not told to the next member', async () => {
  signedInAs(member());
  const answered = new AbortController();
  server.use(
    listOf('newOrder', [orderNumber(100234)]),
    put('/api/admin/assign-order-status', async () => {
      await new Promise((done) => answered.signal.addEventListener('abort', done));
      return success({ changed: 1, undo: null }, 'Order has been assigned successfully');
    }),
    post('/api/admin/sign-out', () => success({})),
  );
  const user = await openApp(paths.recentOrder);
  await user.click(await screen.findByRole('checkbox', { name: 'Select 100234' }));
  await press(user, 'Assign to me');
  await press(user, 'Yes, assign');
  await press(user, 'Logout');
  await signIn(user, budi);
  await screen.findByText('Welcome, Budi Santoso');
  answered.abort();
  await new Promise((passed) => setTimeout(passed, 100));
  expect(screen.queryByText('Order has been assigned successfully')).toBeNull();
});

test('a question about who one is ends with the session, and is asked anew in the next', async () => {
  signedInAs(member());
  const citra = {
    id: 3,
    name: 'Citra',
    email: 'citra@visadesk.example',
    password: '********',
    type: 'Team' as const,
    second_factor: false,
    updated_at: '2026-11-20T02:41:07Z',
  };
  const state = { app_added_at: null, passkeys: [], passkeys_offered: false };
  server.use(
    get('/api/admin/get-team-member-list', () => success({ data: [citra] })),
    get('/api/admin/get-team-member-type', () => success({ data: ['Team' as const] })),
    get('/api/admin/second-factor', () => success({ data: state as never })),
    put('/api/admin/delete-team-member', () =>
      refusal(403, 'Please confirm who you are', 'confirmation_required'),
    ),
  );
  const user = await openApp(paths.manageTeam);
  const askToDelete = async () => {
    await press(user, 'Delete Citra');
    await press(user, 'Yes, delete');
    return screen.findByRole('dialog', { name: 'Confirm that it is you' });
  };
  await askToDelete();
  localStorage.removeItem('user');
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'user' })));
  await waitFor(() => expect(place()).toBe('/'));
  await signIn(user, member());
  await user.click(await screen.findByRole('link', { name: 'Manage Team' }));
  expect(await askToDelete()).toBeVisible();
});
