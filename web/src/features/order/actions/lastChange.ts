import { create } from 'zustand';
import { now } from '@/ui/clock';
import type { ActionResult } from './orderCalls';

/** The last change of this tab that the server can undo. */
export interface LastChange {
  /** Its events, one for each call. */
  events: readonly number[];
  /** The end of the time in which all of them can be undone. */
  until: string;
  /** The message of the server about the change. */
  message: string;
}

interface LastChangeState {
  last: LastChange | null;
}

export const useLastChange = create<LastChangeState>(() => ({ last: null }));

/**
 * Remembers what `results` can be undone by, in place of an earlier change: after one that cannot be undone there is nothing left.
 * Returns it.
 */
export function rememberChange(
  results: readonly ActionResult[],
  message: string,
): LastChange | null {
  if (results.length === 0) return null;
  forgetChange();
  const undoable = results.flatMap(({ undo }) => undo ?? []);
  if (undoable.length === 0) return null;
  const last = {
    events: undoable.map(({ event_id }) => event_id),
    until: undoable.map(({ until }) => until).toSorted()[0]!,
    message,
  };
  useLastChange.setState({ last });
  return last;
}

export function forgetChange(): void {
  useLastChange.setState({ last: null });
}

/** Keeps of a change the events that may still be undone; nothing if a later change took its place. */
export function keepEvents(change: LastChange, events: readonly number[]): void {
  useLastChange.setState(({ last }) =>
    last === change ? { last: events.length > 0 ? { ...change, events } : null } : {},
  );
}

/** Returns true if the change can still be undone. */
export function isOpen({ until }: LastChange): boolean {
  return now().getTime() < new Date(until).getTime();
}
