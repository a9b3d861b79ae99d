import { act } from '@testing-library/react';
import type { OrderActivity } from '@/api/liveCalls';
import { useLive } from '@/session/live';
import { get, put, server, success } from './server';

/** A colleague does something with an order. Returns the activities that the member's own browser then tells, null for an end. */
export function colleagueAt(
  orderId: number,
  activity: OrderActivity,
): { begin: () => void; told: (string | null)[] } {
  const told: (string | null)[] = [];
  const members = [{ staff_id: 8, name: 'Sari Dewi', type: 'Team' as const }];
  server.use(
    get('/api/admin/colleagues', () => success({ data: members })),
    put('/api/admin/presence', async ({ request }) => {
      const { activity } = (await request.json()) as { activity: string | null };
      told.push(activity);
      return success({});
    }),
  );
  const here = { order_id: orderId, staff_id: 8, activity };
  const begin = () => act(() => useLive.setState({ colleagues: new Map([[orderId, [here]]]) }));
  return { begin, told };
}
