import { useCallback, useLayoutEffect, useState, type RefObject } from 'react';

/**
 * Decides whether a loaded card keeps the height that was reserved while it was loading: as long as
 * its end is in view, because the content below it must not move while a person looks at it, and
 * until it is released.
 */
export function useReservedHeight(card: RefObject<HTMLElement | null>, isLoading: boolean) {
  const [isReserved, setReserved] = useState(isLoading);
  const release = useCallback(() => setReserved(false), []);
  const isKept = isReserved && !isLoading;
  useLayoutEffect(() => {
    if (!isKept) return undefined;
    const releaseOutOfView = () => {
      const end = card.current?.getBoundingClientRect().bottom ?? Infinity;
      if (end >= innerHeight) release();
    };
    // Before the first paint with the content.
    releaseOutOfView();
    addEventListener('scroll', releaseOutOfView, { passive: true });
    addEventListener('resize', releaseOutOfView);
    return () => {
      removeEventListener('scroll', releaseOutOfView);
      removeEventListener('resize', releaseOutOfView);
    };
  }, [card, isKept, release]);
  return { isKept, release };
}
