import { useEffect } from 'react';
import { useDelayed } from '@/ui/useDelayed';
import type { PaperItem } from './usePaperUpload';

const ASK_AGAIN_AFTER_MS = 1500;
const GIVE_UP_AFTER_MS = 60_000;

/** Asks for the result of a check until it is there, for a minute at most. Returns whether it takes longer. */
export function useChecking(item: PaperItem, reload: () => void): boolean {
  const isLong = useDelayed(item.state === 'checking', GIVE_UP_AFTER_MS);
  // Every answer has a new item, so the next question waits for the answer to the last one.
  useEffect(() => {
    if (item.state !== 'checking' || isLong) return;
    const timer = setTimeout(reload, ASK_AGAIN_AFTER_MS);
    return () => clearTimeout(timer);
  }, [item, isLong, reload]);
  return isLong;
}
