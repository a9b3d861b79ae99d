import { EventSourceParserStream } from 'eventsource-parser/stream';
import { api, dataOf, refusalOf } from './client';
import type { components } from './schema';

/** Changes: orders with the folders that list them now, and the counts of folders. */
export type LiveChanges = components['schemas']['LiveChanges'];

/** A colleague who has an order open. */
export type ColleagueAtOrder = components['schemas']['ColleagueAtOrder'];
/** The activity of a member on an order that they have open. */
export type OrderActivity = ColleagueAtOrder['activity'];

/** The server sends something every 15 seconds: a stream that is silent for longer is dead. */
const SILENCE_MS = 40_000;

/** Marks what the browser asks for by itself: it does not keep the session alive. */
export const IN_BACKGROUND = { 'X-Background': '1' };

/**
 * Hands over what changed since the event `after`, until the stream or `signal` ends it. Throws as `answer` does if there is no
 * stream.
 */
export async function followChanges(
  after: number | undefined,
  signal: AbortSignal,
  take: (changes: LiveChanges) => void,
): Promise<void> {
  const silence = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const hear = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), SILENCE_MS);
  };
  hear();
  try {
    const { data, error, response } = await api.GET('/api/admin/live', {
      params: { query: { after } },
      parseAs: 'stream',
      signal: AbortSignal.any([signal, silence.signal]),
    });
    if (!data) throw refusalOf(error, response.status);
    const parser = new EventSourceParserStream({ onComment: hear });
    const events = data.pipeThrough(new TextDecoderStream()).pipeThrough(parser).getReader();
    for (;;) {
      const { done, value } = await events.read();
      if (done) return;
      hear();
      take(JSON.parse(value.data) as LiveChanges);
    }
  } finally {
    clearTimeout(timer);
  }
}

export type UnreadInbox = components['schemas']['UnreadInbox'];

/** Counts what the member has not read. */
export async function countUnread(): Promise<UnreadInbox> {
  return dataOf(api.GET('/api/admin/count-inbox', { headers: IN_BACKGROUND }));
}

/**
 * Says that the member of the token has left the orders, as the page is closed. Such a page waits for nothing, and the client of all
 * other calls would read the body first.
 */
export function leaveOrders(orderId: number[], token: string): void {
  const body: components['schemas']['SetPresence'] = { orderId, activity: null };
  const sent = fetch('/api/admin/presence', {
    method: 'PUT',
    keepalive: true,
    headers: {
      ...IN_BACKGROUND,
      Authorization: token,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify(body),
  });
  sent.catch(() => undefined);
}
