import type { ReactNode } from 'react';

/** A column of a table. */
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
  /** The cell of the totals row. */
  total?: ReactNode;
}
