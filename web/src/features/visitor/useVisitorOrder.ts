import { startTransition, useCallback, useEffect, useState } from 'react';
import { Refusal } from '@/api/Refusal';
import { type DownloadHistory, downloadHistory } from '@/api/visitorCalls';

interface VisitorOrderState {
  /** The order and its downloads; null until they are there. */
  found: DownloadHistory | null;
  /** Why the last try to load them failed. */
  failure: unknown;
  reload: () => void;
}

/** The order that the visitor's grant opens. Without a grant for it, calls `onAccessLost`. */
export function useVisitorOrder(
  orderId: number | null,
  onAccessLost: () => void,
): VisitorOrderState {
  const [found, setFound] = useState<DownloadHistory | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [turn, setTurn] = useState(0);
  const reload = useCallback(() => {
    setFailure(null);
    setTurn((turn) => turn + 1);
  }, []);

  useEffect(() => {
    if (orderId === null) return;
    let isLatest = true;
    const load = async (_turn: number) => {
      try {
        const answer = await downloadHistory(orderId);
        if (!isLatest) return;
        // What was shown stays until the parts that this order needs are loaded.
        startTransition(() => {
          setFound(answer);
          setFailure(null);
        });
      } catch (error) {
        if (!isLatest) return;
        if (isAccessLost(error)) onAccessLost();
        else setFailure(error);
      }
    };
    void load(turn);
    return () => {
      // A late answer of this attempt is outdated.
      isLatest = false;
    };
  }, [orderId, onAccessLost, turn]);

  return { found, failure, reload };
}

/** Returns true if the visitor has no grant, or no longer has one. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof Refusal && error.code === 'email_not_confirmed';
}

/** No grant, or one for another order. */
function isAccessLost(error: unknown): boolean {
  return isSignedOut(error) || (error instanceof Refusal && error.code === 'application_not_found');
}
