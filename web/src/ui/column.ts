import type { ReactNode } from 'react';

/** The order of rows by a column, and how a click on its title changes it. */
export interface ColumnSort {
  /** Undefined: the rows are in another order. */
  direction: 'ascending' | 'descending' | undefined;
  onSort: () => void;
}

export interface Column<Row> {
  title: string;
  /** Its name for the styles of a table with fitted columns. */
  key?: string;
  cell: (row: Row) => ReactNode;
  widthPx: number;
  /** The width where the table has little room and text wraps; `widthPx` unless given. */
  narrowPx?: number;
  /** Growing columns share the remaining width; the others keep theirs. */
  grows?: boolean;
  /** Numbers end at the same edge, under their title. */
  isNumber?: boolean;
  /** Given when the rows can be sorted by it. */
  sort?: ColumnSort | undefined;
  /** The cell of the totals row. */
  total?: ReactNode;
}
