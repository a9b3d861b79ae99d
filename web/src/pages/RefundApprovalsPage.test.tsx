import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { RefundRequest } from '@/api/types';
import { allowedInList } from '@/testing/allowed';
import { colleagueAt } from '@/testing/colleague';
import { openApp, place } from '@/testing/openApp';
import {
  get,
  listOf,
  member,
  orderNumber,
  put,
  refusal,
  server,
  signedInAs,
  success,
} from '@/testing/server';

function requested(fields: Partial<RefundRequest> = {}): RefundRequest {
  return {
    approval_id: 31,
    state: 'Waiting',
    requested_by: 'Budi Santoso',
    requested_at: '2026-11-20T02:41:07Z',
    expires_at: '2026-11-27T02:41:07Z',
    decided_by: null,
    decided_at: null,
    note: null,
    order_ids: [100234, 100235],
    changed_order_ids: [],
    sums: [
      { currency: 'EUR', amount: '20.00' },
      { currency: 'USD', amount: '298.00' },
    ],
    without_payment: 1,
    allowed: { decide: true, withdraw: false },
    ...fields,
  };
}

/** Serves these requests; a decision ends the first. Returns the calls. */
function serve(...requests: RefundRequest[]): [call: string, body: unknown][] {
  const sent: [string, unknown][] = [];
  let served = requests;
  server.use(
    get('/api/admin/refund-approvals', () => {
      const waiting = served.filter(({ state }) => state === 'Waiting').length;
      return success({ data: { waiting, requests: served } });
    }),
  );
  for (const [call, message] of [
    ['approve-refunds', '2 orders refunded'],
    ['decline-refunds', 'The request was declined. Nothing was refunded'],
    ['withdraw-refunds', 'The request was withdrawn. Nothing was refunded'],
  ] as const) {
    server.use(
      put(`/api/admin/${call}`, async ({ request }) => {
        sent.push([call, await request.json()]);
        served = served.slice(1);
        return success({}, message);
      }),
    );
  }
  return sent;
}

const dialog = () => within(screen.getByRole('dialog'));

test('a Manager sees who asked for which refund, and approves it', async () => {
  signedInAs(member());
  const sent = serve(requested());
  const user = await openApp('/admin/refund-approvals');
  const row = within(await screen.findByRole('row', { name: /Budi Santoso/ }));
  expect(row.getByText('EUR 20.00, USD 298.00, 1 order without a payment')).toBeVisible();
  expect(screen.getByText('1 waiting')).toBeVisible();
  await user.click(row.getByRole('button', { name: /^Review/ }));
  expect(screen.getByRole('dialog', { name: 'Refund of 2 orders' })).toBeVisible();
  expect(dialog().getByRole('link', { name: '100235' })).toHaveAttribute(
    'href',
    expect.stringContaining('/admin/view-order/'),
  );
  expect(dialog().queryByRole('button', { name: 'Withdraw' })).toBeNull();
  await user.type(dialog().getByLabelText('Note'), 'As agreed');
  await user.click(dialog().getByRole('button', { name: 'Approve and refund' }));
  expect(await screen.findByText('2 orders refunded')).toBeVisible();
  expect(sent).toEqual([['approve-refunds', { approvalId: 31, note: 'As agreed' }]]);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(await screen.findByText(/No refund waits for approval/)).toBeVisible();
});

test('a request with orders that changed since can only be declined', async () => {
  signedInAs(member());
  const ids = [1, 2, 3, 4, 5, 6].map((last) => 100230 + last);
  const sent = serve(requested({ order_ids: [...ids, 100237], changed_order_ids: ids }));
  const user = await openApp('/admin/refund-approvals');
  await user.click(await screen.findByRole('button', { name: /^Review/ }));
  expect(dialog().getByRole('alert')).toHaveTextContent(
    'Orders 100231, 100232, 100233, 100234, 100235 and 1 more were refunded or left Refunds since.',
  );
  expect(dialog().queryByRole('button', { name: 'Approve and refund' })).toBeNull();
  await user.click(dialog().getByRole('button', { name: 'Decline' }));
  expect(await screen.findByText(/The request was declined/)).toBeVisible();
  expect(sent).toEqual([['decline-refunds', { approvalId: 31, note: '' }]]);
});

test('the member who made a request withdraws it, and decides nothing', async () => {
  signedInAs(member({}));
  const sent = serve(requested({ allowed: { decide: false, withdraw: true } }));
  const user = await openApp('/admin/refund-approvals');
  await user.click(await screen.findByRole('button', { name: /^View/ }));
  for (const button of ['Decline', 'Approve and refund']) {
    expect(dialog().queryByRole('button', { name: button })).toBeNull();
  }
  await user.click(dialog().getByRole('button', { name: 'Withdraw' }));
  expect(await screen.findByText(/The request was withdrawn/)).toBeVisible();
  expect(sent).toEqual([['withdraw-refunds', { approvalId: 31 }]]);
});

test('a request that was declined shows by whom and why', async () => {
  signedInAs(member({}));
  const allowed = { decide: false, withdraw: false };
  const decided = { decided_by: 'Made Wirawan', decided_at: '2026-11-21T02:41:07Z', allowed };
  serve(requested({ state: 'Declined', note: 'These were delivered.', ...decided }));
  const user = await openApp('/admin/refund-approvals');
  expect((await screen.findByText('Declined')).dataset['tone']).toBe('danger');
  await user.click(screen.getByRole('button', { name: /^View/ }));
  expect(dialog().getByText(/^Declined by/)).toHaveTextContent('Made Wirawan');
  expect(dialog().getByText('These were delivered.')).toBeVisible();
  expect(dialog().getAllByRole('button')).toHaveLength(1);
});

test('a decision that another member made first is shown, and the dialog stays', async () => {
  signedInAs(member());
  const why = 'Nothing was changed: this request was already approved by Ayu Lestari';
  serve(requested());
  server.use(put('/api/admin/approve-refunds', () => refusal(409, why, 'refund_approval_decided')));
  const user = await openApp('/admin/refund-approvals');
  await user.click(await screen.findByRole('button', { name: /^Review/ }));
  await user.type(dialog().getByLabelText('Note'), 'As agreed');
  await user.click(dialog().getByRole('button', { name: 'Approve and refund' }));
  expect(await screen.findByText(why)).toBeVisible();
  expect(dialog().getByLabelText('Note')).toHaveValue('As agreed');
});

test('approving a refund asks first if a colleague has begun to, and colleagues see the request being decided', async () => {
  signedInAs(member());
  const { begin, told } = colleagueAt(100235, 'refunding');
  const sent = serve(requested());
  const user = await openApp('/admin/refund-approvals');
  await user.click(await screen.findByRole('button', { name: /^Review/ }));
  await waitFor(() => expect(told).toEqual(['refunding']));
  begin();
  const approve = () => user.click(screen.getByRole('button', { name: 'Approve and refund' }));
  await approve();
  const beside = { name: 'Sari Dewi is marking as refunded order 100235' };
  const question = within(await screen.findByRole('dialog', beside));
  await user.click(question.getByRole('button', { name: 'Cancel' }));
  expect(sent).toEqual([]);
  await approve();
  await user.click(await screen.findByRole('button', { name: 'Continue anyway' }));
  expect(await screen.findByText('2 orders refunded')).toBeVisible();
  expect(sent).toEqual([['approve-refunds', { approvalId: 31, note: '' }]]);
  await waitFor(() => expect(told).toEqual(['refunding', null]));
});

test('a refund that a colleague has begun is declined without a question', async () => {
  signedInAs(member());
  const { begin } = colleagueAt(100235, 'refunding');
  const sent = serve(requested());
  const user = await openApp('/admin/refund-approvals');
  await user.click(await screen.findByRole('button', { name: /^Review/ }));
  begin();
  await user.click(dialog().getByRole('button', { name: 'Decline' }));
  expect(await screen.findByText(/The request was declined/)).toBeVisible();
  expect(sent).toEqual([['decline-refunds', { approvalId: 31, note: '' }]]);
});

test('the dashboard and Refunds link to the requests while some wait', async () => {
  signedInAs(member());
  const counts = { to_decide: 2, own: 1 };
  server.use(
    get('/api/admin/refund-approval-counts', () => success({ data: counts })),
    listOf('refundOrder', [orderNumber(100234, { process_status: 'Refunds' })]),
  );
  serve(requested());
  const user = await openApp('/admin');
  const text = '2 refund requests wait for your decision, 1 of your own for approval';
  expect(await screen.findByRole('link', { name: text })).toBeVisible();
  await user.click(screen.getByRole('link', { name: /^Refunds/ }));
  await screen.findByRole('heading', { name: 'Refunds' });
  await user.click(await screen.findByRole('link', { name: text }));
  expect(await screen.findByRole('heading', { name: 'Refund Approvals' })).toBeVisible();
  expect(place()).toBe('/admin/refund-approvals');
});

test('a refund that waits says so, and where', async () => {
  signedInAs(member({}));
  let own = 0;
  server.use(
    listOf('refundOrder', [
      orderNumber(100234, {
        process_status: 'Refunds',
        allowed: allowedInList({ refund: true }),
      }),
    ]),
    get('/api/admin/refund-approval-counts', () => success({ data: { to_decide: 0, own } })),
    put('/api/admin/move-to-complete-refund', () => {
      own = 1;
      return success(
        {
          refunded: 0,
          already_refunded: 0,
          approval: { approval_id: 7, orders: 1, expires_at: '2026-11-27T03:00:00Z' },
        },
        'Nothing was refunded yet: 1 order waits for approval by another Admin or Manager',
      );
    }),
  );
  const user = await openApp('/admin/refund-order');
  await user.click(await screen.findByRole('checkbox', { name: /100234/ }));
  await user.click(screen.getByRole('button', { name: 'Refunded it' }));
  await user.click(screen.getByRole('button', { name: 'Yes, mark as refunded' }));
  expect(await screen.findByText(/1 order waits for approval/)).toBeVisible();
  const link = await screen.findByRole('link', { name: 'Your refund request waits for approval' });
  expect(link).toHaveAttribute('href', '/admin/refund-approvals');
});
