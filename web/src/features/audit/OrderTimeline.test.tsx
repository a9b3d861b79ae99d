import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { AuditEvent } from '@/api/types';
import { openOrder } from '@/testing/openOrder';
import { get, member, server, success } from '@/testing/server';

let lastId = 0;

function event(fields: Partial<AuditEvent> = {}): AuditEvent {
  lastId += 1;
  return {
    id: lastId,
    at: '2026-11-20T02:41:07Z',
    actor: 'Ayu Lestari',
    action: 'order.move',
    before: 'New',
    after: 'Completed',
    ...fields,
  };
}

const timeline = async () => within(await screen.findByRole('region', { name: 'Timeline' }));

test('the timeline shows who did what, newest first', async () => {
  await openOrder({
    timeline: [
      event(),
      event({ action: 'remark.add', actor: 'Budi Santoso', before: null, after: '17' }),
      event({ action: 'order.assign', before: 'Ayu Lestari', after: null }),
      event({ before: 'AwaitingGovt', after: 'Awaiting' }),
      event({ action: 'document.take-in', actor: 'shop', before: null, after: 'passport_picture' }),
      event({ action: 'order.arrive', actor: 'import', before: null, after: 'New' }),
    ],
  });
  const steps = (await timeline()).getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(steps).toEqual([
    'Order moved New → CompletedAyu Lestari, 20-11-2026 09:41:07 WIB',
    'Comment added Budi Santoso, 20-11-2026 09:41:07 WIB',
    'Order assigned Ayu Lestari → UnassignedAyu Lestari, 20-11-2026 09:41:07 WIB',
    'Order moved Awaiting Govt → Awaiting CustomerAyu Lestari, 20-11-2026 09:41:07 WIB',
    'Document received passport pictureshop, 20-11-2026 09:41:07 WIB',
    'Order received Newimport, 20-11-2026 09:41:07 WIB',
  ]);
});

test('a loss stands out, and what came by itself stays back', async () => {
  await openOrder({
    timeline: [
      event({ action: 'order.refund', after: 'Refunds' }),
      event({ after: 'Deleted' }),
      event(),
      event({ action: 'document.take-in', after: 'passport_picture' }),
      event({ action: 'mail.resend', after: null }),
    ],
  });
  const tones = (await timeline()).getAllByRole('listitem').map(({ dataset }) => dataset['tone']);
  expect(tones).toEqual(['danger', 'danger', undefined, 'quiet', 'quiet']);
});

test('a long timeline is short at first', async () => {
  const user = await openOrder({ timeline: Array.from({ length: 11 }, () => event()) });
  expect((await timeline()).getAllByRole('listitem')).toHaveLength(8);
  await user.click((await timeline()).getByRole('button', { name: 'Show all 11' }));
  expect((await timeline()).getAllByRole('listitem')).toHaveLength(11);
});

test('a timeline that goes on behind the loaded events unfolds them first, and then loads older ones', async () => {
  const oldest = event({ actor: 'import', action: 'order.arrive' });
  server.use(
    get('/api/admin/get-order-history/:orderId', () =>
      success({ data: { timeline: [oldest], older: null } }),
    ),
  );
  const user = await openOrder({
    timeline: Array.from({ length: 50 }, () => event()),
    older: { timeline: '7' },
  });
  const steps = async () => (await timeline()).getAllByRole('listitem');
  await user.click((await timeline()).getByRole('button', { name: 'Show older' }));
  expect(await steps()).toHaveLength(50);
  expect((await timeline()).getByRole('status')).toHaveTextContent('42 older added, 50 shown');
  await user.click((await timeline()).getByRole('button', { name: 'Show older' }));
  await waitFor(async () => expect(await steps()).toHaveLength(51));
  expect((await steps()).at(-1)).toHaveTextContent('Order received');
  expect((await timeline()).queryByRole('button', { name: 'Show older' })).toBeNull();
  expect((await timeline()).getByRole('list')).toHaveFocus();
});

test('with permission to see the audit there is a link to that of the order', async () => {
  await openOrder();
  expect((await timeline()).getByText('No activity yet.')).toBeVisible();
  expect((await timeline()).getByRole('link', { name: 'Audit of this order' })).toHaveAttribute(
    'href',
    '/admin/audit?order=100234',
  );
});

test('without permission the timeline has no link', async () => {
  await openOrder({ timeline: [event()] }, member({}));
  expect((await timeline()).queryByRole('link')).toBeNull();
});
