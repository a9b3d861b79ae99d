import { useLayoutEffect, useRef, type RefObject } from 'react';

const positions = new Map<string, number>();

/** Gives a scrolling element the position at which it was left at the same `place`. */
export function useScrollMemory<Scroller extends HTMLElement>(
  place: string,
  /** True once there is enough content to scroll. */
  ready: boolean,
): RefObject<Scroller | null> {
  const scroller = useRef<Scroller>(null);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!ready || !element) return;
    element.scrollTop = positions.get(place) ?? 0;
    const remember = () => positions.set(place, element.scrollTop);
    element.addEventListener('scroll', remember, { passive: true });
    return () => element.removeEventListener('scroll', remember);
  }, [place, ready]);
  return scroller;
}
