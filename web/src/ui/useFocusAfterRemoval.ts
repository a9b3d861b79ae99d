import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';

/** Focuses the table when the row that had the focus is removed, so that the keyboard continues from there. */
export function useFocusAfterRemoval(table: RefObject<HTMLElement | null>): void {
  const focused = useRef<EventTarget>(null);
  useEffect(() => {
    const element = table.current;
    const remember = ({ target }: FocusEvent) => {
      focused.current = target;
    };
    element?.addEventListener('focusin', remember);
    return () => element?.removeEventListener('focusin', remember);
  }, [table]);
  useLayoutEffect(() => {
    if (!(focused.current instanceof Element) || focused.current.isConnected) return;
    focused.current = null;
    if (document.activeElement === document.body) table.current?.focus({ preventScroll: true });
  });
}
