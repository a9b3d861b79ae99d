import { screen, waitFor, within } from '@testing-library/react';
import { delay } from 'msw';
import { expect, test } from 'vitest';
import type { AuditEntry } from '@/api/types';
import { paths } from '@/paths/staffPaths';
import { openApp, place } from '@/testing/openApp';
import { get, member, refusal, server, signedInAs, success } from '@/testing/server';

const CALL = '/api/admin/get-audit-list';

function entry(id: number, fields: Partial<AuditEntry> = {}): AuditEntry {
  return {
    id,
    at: '2026-11-20T02:41:07Z',
    actor: 'Ayu Lestari',
    action: 'order.move',
    order_id: 100234,
    order_number: 'VD-100234',
    before: 'New',
    after: 'Completed',
    ip: '203.0.113.24',
    ...fields,
  };
}

/** Serves these entries, two per page. Returns the requested queries. */
function auditOf(entries: AuditEntry[]): string[] {
  signedInAs(member());
  const asked: string[] = [];
  server.use(
    get(CALL, ({ request }) => {
      const { search, searchParams } = new URL(request.url);
      asked.push(search);
      const olderThan = Number(searchParams.get('olderThan') ?? Infinity);
      const left = entries.filter(({ id }) => id < olderThan);
      const data = left.slice(0, 2);
      return success({ data, next: left.length > 2 ? data.at(-1)?.id : null });
    }),
  );
  return asked;
}

const cellsOf = async (text: string) => {
  const row = (await screen.findByText(text)).closest('tr');
  return [...(row?.cells ?? [])].map(({ textContent }) => textContent);
};

test('events are listed with label, person, time, change and address', async () => {
  auditOf([entry(3), entry(2, { action: 'order.assign', before: null, after: 'Budi' })]);
  await openApp('/admin/audit');
  expect(await cellsOf('New → Completed')).toEqual([
    '20-11-2026 09:41:07',
    'Ayu Lestari',
    'Order moved',
    '100234',
    'New → Completed',
    '203.0.113.24',
  ]);
  expect(await cellsOf('Unassigned → Budi')).toContain('Order assigned');
  const [link] = screen.getAllByRole('link', { name: '100234' });
  expect(link).toHaveAttribute('href', paths.viewOrder(100234));
});

test('an event without a label shows its name', async () => {
  auditOf([entry(1, { action: 'moon.landing', order_id: null, before: null, after: 'done' })]);
  await openApp('/admin/audit');
  expect(await cellsOf('done')).toContain('moon.landing');
});

test('a filter need not wait for the whole audit', async () => {
  auditOf([entry(3)]);
  server.use(get(CALL, () => delay('infinite'), { once: true }));
  const user = await openApp('/admin/audit');
  await user.type(await screen.findByLabelText('Person'), 'Ayu Lestari');
  await user.click(screen.getByRole('button', { name: 'Submit' }));
  expect(await screen.findByText('New → Completed')).toBeVisible();
});

test('older entries load on demand, until there are none', async () => {
  const asked = auditOf([5, 4, 3].map((id) => entry(id, { after: `step ${id}` })));
  const user = await openApp('/admin/audit');
  await screen.findByText('New → step 4');
  expect(screen.queryByText('New → step 3')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Show older' }));
  expect(await screen.findByText('New → step 3')).toBeVisible();
  expect(screen.getByText('New → step 5')).toBeVisible();
  expect(asked).toEqual(['', '?olderThan=4']);
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Show older' })).toBeNull());
});

test('filters by person, order, action and period live in the URL and can be cleared', async () => {
  const asked = auditOf([entry(1)]);
  const user = await openApp('/admin/audit');
  const form = within(await screen.findByRole('form', { name: 'Filter' }));
  await user.type(form.getByLabelText('Person'), ' Ayu Lestari ');
  await user.type(form.getByLabelText('Order'), 'VD-100234');
  await user.selectOptions(form.getByLabelText('Action'), 'Order moved');
  await user.type(form.getByLabelText('From date'), '01-11-2026');
  await user.type(form.getByLabelText('To date'), '20-11-2026');
  await user.click(form.getByRole('button', { name: 'Submit' }));
  await waitFor(() =>
    expect(asked.at(-1)).toBe(
      '?person=Ayu%20Lestari&order=VD-100234&action=order.move&from=2026-11-01&to=2026-11-20',
    ),
  );
  expect(place()).toContain('action=order.move');
  await user.click(form.getByRole('button', { name: 'Clear' }));
  await waitFor(() => expect(place()).toBe('/admin/audit'));
  expect(form.getByLabelText('Person')).toHaveValue('');
});

test('invalid filters are reported and not sent', async () => {
  const asked = auditOf([entry(1)]);
  const user = await openApp('/admin/audit?from=2026-11-02&to=2026-11-03');
  await screen.findByText('New → Completed');
  await user.type(screen.getByLabelText('Order'), 'hello');
  expect(await screen.findByText(/^This is not an order's number/)).toBeVisible();
  await user.clear(screen.getByLabelText('Order'));
  await user.clear(screen.getByLabelText('To date'));
  await user.type(screen.getByLabelText('To date'), '01-11-2026');
  expect(await screen.findByText(/^The from date is after the to date/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Submit' }));
  expect(asked).toHaveLength(1);
});

test('filters without matches say so and can be cleared', async () => {
  auditOf([]);
  const user = await openApp('/admin/audit?person=Nobody');
  expect(await screen.findByText('Nothing matches these filters.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Clear search' }));
  expect(await screen.findByText('No activity yet.')).toBeVisible();
});

test('without permission the refusal is shown', async () => {
  signedInAs(member({}));
  server.use(get(CALL, () => refusal(403, 'You may not do this')));
  await openApp('/admin/audit');
  expect(await screen.findByText('You may not do this')).toBeVisible();
});
