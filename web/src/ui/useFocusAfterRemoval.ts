import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';

/**
 * When the row with the focus leaves, the next row that is left takes it, so that the keyboard goes on from the same place. Without
 * one on the screen the table does.
 */
export function useFocusAfterRemoval(
  table: RefObject<HTMLElement | null>,
  ids: readonly (number | undefined)[],
): void {
  const focused = useRef<EventTarget>(null);
  const before = useRef(ids);
  useEffect(() => {
    const element = table.current;
    const remember = ({ target }: FocusEvent) => {
      focused.current = target;
    };
    element?.addEventListener('focusin', remember);
    return () => element?.removeEventListener('focusin', remember);
  }, [table]);
  useLayoutEffect(() => {
    const known = before.current;
    before.current = ids;
    if (!(focused.current instanceof Element) || focused.current.isConnected) return;
    const row = focused.current.closest<HTMLElement>('tr[data-index]');
    focused.current = null;
    if (document.activeElement !== document.body) return;
    const index = placeAfter(Number(row?.dataset['index'] ?? 0), known, ids);
    const next = table.current?.querySelector<HTMLElement>(`tr[data-index="${index}"][tabindex]`);
    (next ?? table.current)?.focus({ preventScroll: true });
  });
}

/** The place of the first row from `index` on that is left of the `known` ones, else the same place in the new rows. */
function placeAfter(
  index: number,
  known: readonly (number | undefined)[],
  ids: readonly (number | undefined)[],
): number {
  const places = new Map(ids.map((id, place) => [id, place]));
  // A row that is not loaded has no id.
  places.delete(undefined);
  const left = known.slice(index).find((id) => places.has(id));
  return places.get(left) ?? Math.min(index, ids.length - 1);
}
