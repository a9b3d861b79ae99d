import type { ReactNode } from 'react';

/** A column of a table. */
export interface Column<Row> {
  title: string;
  cell: (row: Row) => ReactNode;
  widthPx: number;
  /** The width where the table has little room and text wraps; `widthPx` unless given. */
  narrowPx?: number;
  /** Columns that grow share what is left; the others keep their width. */
  grows?: boolean;
  /** What the row below all others says of this column. */
  total?: ReactNode;
}
