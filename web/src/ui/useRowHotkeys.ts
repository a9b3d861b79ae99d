import type { RefObject } from 'react';
import { flushSync } from 'react-dom';
import { useHotkeys } from './useHotkeys';

interface RowHotkeys<Row> {
  body: RefObject<HTMLTableSectionElement | null>;
  rows: readonly (Row | undefined)[];
  onToggle: ((row: Row) => void) | undefined;
  onOpen: ((row: Row) => void) | undefined;
  /** Brings a row on screen that may not exist yet. */
  reveal: (index: number) => void;
}

/** `j` and `k` move the focus by row, `x` selects, `o` and Enter open. */
export function useRowHotkeys<Row>({ body, rows, onToggle, onOpen, reveal }: RowHotkeys<Row>) {
  const move = (step: number) => {
    const from = focusedIndex(body.current);
    const to = from === null ? Number(firstRow(body.current)?.dataset['index']) : from + step;
    if (!(to >= 0 && to < rows.length)) return;
    flushSync(() => reveal(to));
    body.current?.querySelector<HTMLElement>(`[data-index="${to}"]`)?.focus();
  };
  const withRow = (act: ((row: Row) => void) | undefined) => {
    const row = rows[focusedIndex(body.current) ?? -1];
    if (row !== undefined) act?.(row);
  };

  useHotkeys({
    j: () => move(1),
    k: () => move(-1),
    x: () => withRow(onToggle),
    o: () => withRow(onOpen),
    Enter: () => {
      // On a link or a checkbox Enter keeps its own meaning.
      if (document.activeElement === focused()) withRow(onOpen);
    },
  });
}

/** The index of the row in `table` that has the focus, or a part of which does; null: none. */
export function focusedIndex(table: HTMLElement | null): number | null {
  const row = focused();
  return row && table?.contains(row) ? Number(row.dataset['index']) : null;
}

export function firstRow(table: HTMLElement | null): HTMLElement | null {
  return table?.querySelector<HTMLElement>('tr[data-index]') ?? null;
}

function focused(): HTMLTableRowElement | null {
  return document.activeElement?.closest<HTMLTableRowElement>('tr[data-index]') ?? null;
}
