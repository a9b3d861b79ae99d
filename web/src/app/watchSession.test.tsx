import { screen, within } from '@testing-library/react';
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
