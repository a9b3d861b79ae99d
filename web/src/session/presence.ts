import { useCallback, useEffect, useRef } from 'react';
import { answer, api } from '@/api/client';
import { IN_BACKGROUND, leaveOrders, type OrderActivity } from '@/api/liveCalls';
import { storedLogin } from '@/api/storedLogin';

/** Of several activities on an order, colleagues are told the last of these. */
const ACTIVITIES: readonly OrderActivity[] = ['viewing', 'typing', 'delivering', 'refunding'];

/** The most orders of one call. */
const MAX_ORDERS = 500;
/** An order that is left sooner, such as on the way to the next one, is not told. */
const PAUSE_MS = 200;
/** The server forgets what was not renewed for a minute. */
const RENEW_EVERY_MS = 30_000;
/** The time after an input in which the member is typing. */
const TYPING_MS = 5_000;

interface Announced {
  ids: readonly number[];
  activity: OrderActivity;
}

const announced = new Set<Announced>();
/** The activities that the server was told last. */
let told: ReadonlyMap<number, OrderActivity> = new Map();
/** The token with which it was told: only the same session can end it. */
let toldWith: string | undefined;
let pause: ReturnType<typeof setTimeout> | undefined;
let renewal: ReturnType<typeof setTimeout> | undefined;
/** The calls, one after another, so that the last one counts. */
let sending: Promise<unknown> = Promise.resolve();

/** Tells colleagues what the member does with orders, until the returned function is called. */
export function announce(ids: readonly number[], activity: OrderActivity): () => void {
  const one = { ids: ids.slice(0, MAX_ORDERS), activity };
  announced.add(one);
  tellSoon();
  renewLater();
  return () => {
    announced.delete(one);
    tellSoon();
    if (announced.size > 0) return;
    clearTimeout(renewal);
    renewal = undefined;
  };
}

/** Tells colleagues what the member does with an order while the component is shown; null: nothing. */
export function useAnnounced(orderId: number, activity: OrderActivity | null): void {
  useEffect(() => (activity ? announce([orderId], activity) : undefined), [orderId, activity]);
}

/** Gives a function to call for each input: colleagues are told that the member is typing. */
export function useTyping(orderId: number): () => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const end = useRef<() => void>(undefined);
  const stop = useCallback(() => {
    clearTimeout(timer.current);
    end.current?.();
    end.current = undefined;
  }, []);
  useEffect(() => stop, [stop]);
  return () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(stop, TYPING_MS);
    end.current ??= announce([orderId], 'typing');
  };
}

function tellSoon(): void {
  pause ??= setTimeout(() => {
    pause = undefined;
    tell();
  }, PAUSE_MS);
}

/** Tells the server what is new, or everything that still holds. */
function tell(isRenewal = false): void {
  const token = storedLogin()?.accessToken;
  if (token !== toldWith) {
    // A sign-out ends what the session reported. If another tab replaced the login instead, that session goes on.
    if (token) send([...told.keys()], null);
    told = new Map();
    toldWith = token;
  }
  const now = new Map<number, OrderActivity>();
  for (const activity of ACTIVITIES) {
    for (const one of announced) {
      if (one.activity === activity) one.ids.forEach((id) => now.set(id, activity));
    }
  }
  const idsWhere = (all: typeof told, test: (id: number, activity: OrderActivity) => boolean) =>
    [...all].flatMap(([id, activity]) => (test(id, activity) ? [id] : []));
  send(
    idsWhere(told, (id) => !now.has(id)),
    null,
  );
  for (const activity of ACTIVITIES) {
    const isNew = (id: number) => isRenewal || told.get(id) !== activity;
    send(
      idsWhere(now, (id, current) => current === activity && isNew(id)),
      activity,
    );
  }
  told = now;
}

/** Sends a call, with the token of the session that it is for. */
function send(orderId: number[], activity: OrderActivity | null): void {
  if (orderId.length === 0 || !toldWith) return;
  const headers = { ...IN_BACKGROUND, Authorization: toldWith };
  const call = () =>
    answer(api.PUT('/api/admin/presence', { body: { orderId, activity }, headers }));
  // A hint that does not arrive is missed by nobody: it is repeated, or ends by itself.
  sending = sending.then(call).catch(() => undefined);
}

/** Tells everything again, unless the tab is hidden: nobody looks at its orders. */
function renew(): void {
  if (document.visibilityState === 'visible') tell(true);
}

function renewLater(): void {
  renewal ??= setTimeout(() => {
    renewal = undefined;
    renew();
    renewLater();
  }, RENEW_EVERY_MS);
}

document.addEventListener('visibilitychange', renew);
window.addEventListener('pagehide', () => {
  // Each tab and each window has its own orders. Without this, colleagues are told of them for another minute.
  if (told.size > 0 && toldWith && storedLogin()) {
    leaveOrders([...told.keys()].slice(0, MAX_ORDERS), toldWith);
  }
});
