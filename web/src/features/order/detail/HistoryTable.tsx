import { Fragment, useId, type ReactNode } from 'react';
import classes from './HistoryTable.module.css';

export interface HistoryColumn<Row> {
  title: string;
  /** A share of the width, in percent. */
  width: number;
  cell: (row: Row, index: number) => ReactNode;
}

interface HistoryTableProps<Row> {
  title: string;
  columns: readonly HistoryColumn<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row, index: number) => string | number;
  /** The details of a row, shown while it is open. */
  more?: { id: (row: Row) => string; isOpen: (row: Row) => boolean; cell: (row: Row) => ReactNode };
  /** Shown beside the title. */
  action?: ReactNode;
  /** Shown below the rows. */
  children?: ReactNode;
}

/** One of the order's histories, as a table; as cards where there is no room for one. */
export function HistoryTable<Row>(props: HistoryTableProps<Row>) {
  const { title, columns, rows, rowKey, more, action, children } = props;
  const titleId = useId();
  return (
    <section className={`card ${classes.history}`} aria-labelledby={titleId}>
      <div className={classes.head}>
        <h2 id={titleId}>{title}</h2>
        {action}
      </div>
      {rows.length === 0 ? (
        <p className={classes.none}>No record found</p>
      ) : (
        <table role="table" className={classes.table} aria-labelledby={titleId}>
          <colgroup>
            {columns.map(({ title, width }) => (
              <col key={title} style={{ width: `${width}%` }} />
            ))}
          </colgroup>
          <thead role="rowgroup">
            <tr role="row">
              {columns.map(({ title }) => (
                <th key={title} role="columnheader" scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody role="rowgroup">
            {rows.map((row, index) => (
              <Fragment key={rowKey(row, index)}>
                <tr role="row">
                  {columns.map(({ title, cell }) => (
                    <td key={title} role="cell" data-label={title}>
                      {cell(row, index)}
                    </td>
                  ))}
                </tr>
                {more && (
                  <tr
                    role="row"
                    id={more.id(row)}
                    className={classes.more}
                    hidden={!more.isOpen(row)}
                  >
                    <td role="cell" colSpan={columns.length}>
                      {more.cell(row)}
                    </td>
                  </tr>
                )}
              </Fragment>
            ))}
          </tbody>
        </table>
      )}
      {children}
    </section>
  );
}
