import { create } from 'zustand';
import { ApiError } from '@/api/ApiError';
import {
  countUnread,
  followChanges,
  type ColleagueAtOrder,
  type LiveChanges,
} from '@/api/liveCalls';
import { notifyOfInbox } from './desktopNotices';

export interface LiveState {
  /** `off`: no tab is visible, or nobody is signed in. */
  connection: 'off' | 'live' | 'reconnecting';
  /** The entries of the member's inbox that are not read. */
  unread: number;
  /** The colleagues who have orders open, by order. Nobody while there is no connection: what was known may be over. */
  colleagues: ReadonlyMap<number, readonly ColleagueAtOrder[]>;
}

const NOBODY: LiveState['colleagues'] = new Map();

export const useLive = create<LiveState>(() => ({
  connection: 'off',
  unread: 0,
  colleagues: NOBODY,
}));

/** Notes how many entries are unread now, until the server says it. */
export function markUnread(unread: number): void {
  useLive.setState({ unread });
}

/** A message between the tabs of a browser. */
type Message = { changes: LiveChanges } | { state: Partial<LiveState> } | 'what is known?';

/** Held by the tab with the stream: a visible one. */
const STREAM = 'visadesk.live';
/** Held by the tab that counts the inbox while all are hidden. */
const COUNT = 'visadesk.inbox';

const COUNT_EVERY_MS = 60_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/** The place of the last event that any tab has seen. */
let cursor: number | undefined;
/** This tab has the stream. */
let isLeading = false;

/** Hands over every change that the server tells this browser, in one stream for all its tabs. Returns a function that stops it. */
export function startLive(take: (changes: LiveChanges) => void): () => void {
  const stopped = new AbortController();
  const channel = new BroadcastChannel(STREAM);
  const hear = (message: Message) => {
    if (message === 'what is known?') {
      if (isLeading) tell({ state: useLive.getState() });
      return;
    }
    if ('state' in message) {
      useLive.setState(message.state);
      return;
    }
    cursor = message.changes.cursor;
    const { unread, colleagues } = message.changes;
    useLive.setState({ unread, ...(colleagues && { colleagues: byOrder(colleagues) }) });
    take(message.changes);
  };
  const tell = (message: Message) => {
    if (stopped.signal.aborted) return;
    hear(message);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin
    channel.postMessage(message);
  };
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    // What a tab says that is about to close may arrive after this tab has its own stream.
    if (!isLeading || data === 'what is known?') hear(data);
  });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin
  channel.postMessage('what is known?' satisfies Message);
  void lead(stopped.signal, tell);
  void countWhileHidden(stopped.signal, tell);
  return () => {
    stopped.abort();
    channel.close();
    cursor = undefined;
    useLive.setState({ connection: 'off', unread: 0, colleagues: NOBODY });
  };
}

function byOrder(all: readonly ColleagueAtOrder[]): LiveState['colleagues'] {
  const found = new Map<number, ColleagueAtOrder[]>();
  for (const one of all) found.set(one.order_id, [...(found.get(one.order_id) ?? []), one]);
  return found;
}

/** Has the stream whenever this tab is visible and no other visible tab has it. */
async function lead(stopped: AbortSignal, tell: (message: Message) => void): Promise<void> {
  while (!stopped.aborted) {
    await visibility('visible', stopped);
    const hidden = new AbortController();
    void visibility('hidden', stopped).then(() => hidden.abort());
    const signal = AbortSignal.any([stopped, hidden.signal]);
    await locked(STREAM, signal, async () => {
      isLeading = true;
      await stream(signal, tell);
      isLeading = false;
      // By the tab that had the stream alone: the others still hear of another one.
      tell({ state: { connection: 'off', colleagues: NOBODY } });
    });
  }
}

/** Follows the changes until `signal`, again and again if the connection breaks. */
async function stream(signal: AbortSignal, tell: (message: Message) => void): Promise<void> {
  let pause = FIRST_PAUSE_MS;
  while (!signal.aborted) {
    try {
      await followChanges(cursor, signal, (changes) => {
        pause = FIRST_PAUSE_MS;
        tell({ changes });
        tell({ state: { connection: 'live' } });
      });
    } catch (error) {
      // The session has ended, and the app goes to the sign-in.
      if (error instanceof ApiError && error.status === 401) pause = LONGEST_PAUSE_MS;
    }
    if (signal.aborted) return;
    tell({ state: { connection: 'reconnecting', colleagues: NOBODY } });
    // Not all browsers of an office at once.
    await after(pause * (0.5 + Math.random() / 2), signal);
    pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
  }
}

/** Counts the inbox once a minute while no tab has the stream. */
function countWhileHidden(stopped: AbortSignal, tell: (message: Message) => void): Promise<void> {
  return locked(COUNT, stopped, async () => {
    while (!stopped.aborted) {
      await after(COUNT_EVERY_MS, stopped);
      if (stopped.aborted || (await hasStream())) continue;
      const counted = await countUnread().catch(() => undefined);
      if (!counted) continue;
      const isMore = counted.unread > useLive.getState().unread;
      tell({ state: { unread: counted.unread } });
      if (isMore && counted.newest) notifyOfInbox(counted.newest);
    }
  });
}

/** True if a tab has the stream. Over plain http tabs cannot ask each other: a visible one has it. */
async function hasStream(): Promise<boolean> {
  if (!('locks' in navigator)) return document.visibilityState === 'visible';
  const { held = [] } = await navigator.locks.query();
  return held.some(({ name }) => name === STREAM);
}

/** Runs `work` as soon as this tab has the lock; not at all if `signal` comes first. Over plain http every tab has it. */
async function locked(name: string, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  if (!('locks' in navigator)) return work();
  await navigator.locks.request(name, { signal }, work).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

/** Waits until the tab is `visible` or `hidden`, or for `signal`. */
function visibility(wanted: DocumentVisibilityState, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (document.visibilityState !== wanted && !signal.aborted) return;
      document.removeEventListener('visibilitychange', look);
      resolve();
    };
    document.addEventListener('visibilitychange', look);
    signal.addEventListener('abort', look, { once: true });
    look();
  });
}

/** Waits for a time, or for `signal`. */
function after(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
