import { useSyncExternalStore } from 'react';
import { now } from './clock';
import { dayIn } from './times';

const CHECK_MS = 30_000;

/** Today in the given zone as `2026-11-20`. A page that stays open over midnight renders again. */
export function useToday(zone: string): string {
  return useSyncExternalStore(subscribe, () => dayIn(now(), zone));
}

function subscribe(check: () => void): () => void {
  const timer = setInterval(check, CHECK_MS);
  // Browsers slow down the timers of hidden tabs.
  document.addEventListener('visibilitychange', check);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', check);
  };
}
