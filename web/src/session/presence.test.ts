import { http } from 'msw';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { announce as Announce } from './presence';
import { member, server, signedInAs, success } from '@/testing/server';

interface Sent {
  orderId: number[];
  activity: string | null;
  background: string | null;
  token: string | null;
}

/** The orders of these tests are 1 and 2. */
const LAST_ORDER = 2;

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
      const body = (await request.json()) as Pick<Sent, 'orderId' | 'activity'>;
      const { headers } = request;
      const token = headers.get('authorization');
      // A screen of an earlier file may still report that it was left.
      if (body.orderId.some((id) => id > LAST_ORDER)) return success({});
      sent.push({ ...body, background: headers.get('x-background'), token });
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
  expect(sent).toMatchObject([{ orderId: [2], activity: 'viewing', background: '1' }]);
  end();
  await pass(200, 2);
});

test('a tab that is closed says so', async () => {
  const end = announce([1, 2], 'refunding');
  await pass(200, 1);
  window.dispatchEvent(new Event('pagehide'));
  await pass(0, 2);
  expect(sent[1]).toMatchObject({ orderId: [1, 2], activity: null, background: '1' });
  end();
  await pass(200, 3);
});

test('what an earlier session of the tab told is ended with the token of that session', async () => {
  const end = announce([1], 'viewing');
  await pass(200, 1);
  signedInAs({ ...member(), id: 2, name: 'Made Wirawan' });
  const endNext = announce([2], 'viewing');
  await pass(200, 3);
  const [first, left, ...next] = sent;
  expect(left).toMatchObject({ orderId: [1], activity: null, token: first!.token });
  expect(next.map(({ orderId }) => orderId)).toEqual([[1, 2]]);
  expect(next[0]!.token).not.toBe(first!.token);
  end();
  endNext();
  await pass(200, 4);
});

test('a page that is closed after another tab replaced its login ends what the earlier session told', async () => {
  const end = announce([1], 'viewing');
  await pass(200, 1);
  signedInAs({ ...member(), id: 2, name: 'Made Wirawan' });
  window.dispatchEvent(new Event('pagehide'));
  await pass(0, 2);
  expect(sent[1]).toMatchObject({ orderId: [1], activity: null, token: sent[0]!.token });
  end();
  await pass(200, 3);
});
