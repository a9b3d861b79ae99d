import { useCallback, useMemo, useState } from 'react';
import type { OrderSummary, ProcessStatus } from '@/api/types';

export interface Selected {
  id: number;
  status: ProcessStatus;
}

const asSelected = (row: OrderSummary): Selected => ({
  id: row.order_id,
  status: row.process_status,
});

/**
 * The selected rows. They belong to one view of a list: another `view` starts with none. A row that is
 * gone, or whose status changed, is selected no longer.
 */
export function useSelection(view: string, rows: readonly OrderSummary[]) {
  const [state, setState] = useState({ view, selected: new Map<number, Selected>() });
  const valid = useMemo(() => {
    const { selected } = state;
    const unchanged = rows.filter(
      (row) => selected.get(row.order_id)?.status === row.process_status,
    );
    return new Map(unchanged.map((row) => [row.order_id, asSelected(row)]));
  }, [state, rows]);
  if (state.view !== view) setState({ view, selected: new Map() });
  else if (valid.size !== state.selected.size) setState({ view, selected: valid });
  const { selected } = state;

  const change = useCallback(
    (edit: (selected: Map<number, Selected>) => void) =>
      setState((before) => {
        const after = new Map(before.selected);
        edit(after);
        return { ...before, selected: after };
      }),
    [],
  );
  return {
    selected,
    toggle: useCallback(
      (row: OrderSummary) =>
        change((selected) => {
          if (!selected.delete(row.order_id)) selected.set(row.order_id, asSelected(row));
        }),
      [change],
    ),
    /** Selects all of `rows`, or none when all are selected. */
    toggleAll: useCallback(
      (rows: readonly OrderSummary[]) =>
        change((selected) => {
          const all = rows.every((row) => selected.has(row.order_id));
          for (const row of rows) {
            if (all) selected.delete(row.order_id);
            else selected.set(row.order_id, asSelected(row));
          }
        }),
      [change],
    ),
    drop: useCallback(
      (ids: readonly number[]) => change((selected) => ids.forEach((id) => selected.delete(id))),
      [change],
    ),
  };
}
