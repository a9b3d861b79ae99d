import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Workload } from '@/api/types';
import { openApp } from '@/testing/openApp';
import { get, member, put, server, signedInAs, success } from '@/testing/server';

const workOf = (staff_id: number | null, name: string | null, oldest: number[]): Workload => ({
  staff_id,
  name,
  type: name === null ? null : 'Team',
  total: oldest.length,
  priority: oldest.length > 0 ? 1 : 0,
  statuses: oldest.length > 0 ? { Awaiting: 1, New: oldest.length - 1 } : {},
  oldest_at: oldest.length > 0 ? '2026-11-20T02:41:07Z' : null,
  oldest,
});

const text = (name: RegExp) => screen.getByRole('row', { name }).textContent;

const IDS = Array.from({ length: 23 }, (_, index) => 100_001 + index);

/** Opens the workload of Budi, who has 23 orders, and Sari, who has none, and returns the bodies of moves. */
async function openWorkload() {
  signedInAs(member());
  const moves: unknown[] = [];
  const rows = [workOf(7, 'Budi', IDS), workOf(8, 'Sari', []), workOf(null, null, [100_100])];
  server.use(
    get('/api/admin/workload', () => success({ data: rows })),
    put('/api/admin/reassign-orders', async ({ request }) => {
      moves.push(await request.json());
      return success({ message: '20 orders have been reassigned', changed: 20, undo: null });
    }),
  );
  const user = await openApp('/admin/workload');
  await screen.findByRole('row', { name: /Budi/ });
  return { user, moves };
}

test('the orders of each member are counted by status, with those that have no owner', async () => {
  await openWorkload();
  expect(text(/Budi/)).toContain('New 22 (1 with priority) · Awaiting Customer 1');
  expect(text(/Unassigned/)).toContain('Move 1 oldest');
  expect(within(screen.getByRole('row', { name: /Sari/ })).queryByRole('button')).toBeNull();
});

test('two clicks move the twenty oldest, once there is a note, which stays for the next move', async () => {
  const { user, moves } = await openWorkload();
  await user.click(screen.getByRole('button', { name: 'Move 20 oldest of Budi' }));
  expect(screen.queryByRole('button', { name: 'Give to Budi' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Give to Sari' }));
  expect(await screen.findByText('Please say why')).toBeVisible();
  expect(moves).toEqual([]);
  await user.type(screen.getByLabelText('Why'), 'Budi is ill');
  await user.click(screen.getByRole('button', { name: 'Give to Sari' }));
  expect(await screen.findByText('20 orders have been reassigned')).toBeVisible();
  expect(moves).toEqual([{ orderId: IDS.slice(0, 20), assignto: 'Sari', note: 'Budi is ill' }]);
  expect(screen.getByLabelText('Why')).toHaveValue('Budi is ill');
  expect(await screen.findByRole('button', { name: 'Move 20 oldest of Budi' })).toBeVisible();
});
