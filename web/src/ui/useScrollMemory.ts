import { useEffect, type RefObject } from 'react';

const positions = new Map<string, number>();

/** Puts a scrolling element back to where it was left at the same `place`, once it is `ready`. */
export function useScrollMemory(
  scroller: RefObject<HTMLElement | null>,
  place: string,
  ready: boolean,
): void {
  useEffect(() => {
    const element = scroller.current;
    if (!ready || !element) return;
    element.scrollTop = positions.get(place) ?? 0;
    const remember = () => positions.set(place, element.scrollTop);
    element.addEventListener('scroll', remember, { passive: true });
    return () => element.removeEventListener('scroll', remember);
  }, [scroller, place, ready]);
}
