import { http } from 'msw';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { announce as Announce } from './presence';
import { member, server, signedInAs, success } from '@/testing/server';

interface Sent {
  orderId: number[];
  activity: string | null;
  background: string | null;
}

let sent: Sent[];
let announce: typeof Announce;

beforeEach(async () => {
  // Its timers may be those of an earlier test.
  vi.resetModules();
  ({ announce } = await import('./presence'));
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  signedInAs(member());
  sent = [];
  server.use(
    http.put('*/api/admin/presence', async ({ request }) => {
      const body = (await request.json()) as Omit<Sent, 'background'>;
      sent.push({ ...body, background: request.headers.get('x-background') });
      return success({});
    }),
  );
});

afterEach(() => vi.useRealTimers());

/** Lets time pass, and waits for the calls of it. */
async function pass(milliseconds: number, calls: number) {
  vi.advanceTimersByTime(milliseconds);
  await vi.waitFor(() => expect(sent).toHaveLength(calls));
}

test('the strongest activity on an order is told, again before it expires, and its end', async () => {
  const endViewing = announce([1], 'viewing');
  await pass(200, 1);
  const endTyping = announce([1], 'typing');
  await pass(200, 2);
  await pass(30_000, 3);
  endTyping();
  await pass(200, 4);
  endViewing();
  await pass(200, 5);
  expect(sent.map(({ activity }) => activity)).toEqual([
    'viewing',
    'typing',
    'typing',
    'viewing',
    null,
  ]);
  await pass(60_000, 5);
});

test('an order that is left at once is not told, and its neighbour is', async () => {
  const leave = announce([1], 'viewing');
  vi.advanceTimersByTime(100);
  leave();
  const end = announce([2], 'viewing');
  await pass(200, 1);
  expect(sent).toEqual([{ orderId: [2], activity: 'viewing', background: '1' }]);
  end();
  await pass(200, 2);
});

test('a tab that is closed says so', async () => {
  const end = announce([1, 2], 'refunding');
  await pass(200, 1);
  window.dispatchEvent(new Event('pagehide'));
  await pass(0, 2);
  expect(sent[1]).toEqual({ orderId: [1, 2], activity: null, background: '1' });
  end();
  await pass(200, 3);
});
