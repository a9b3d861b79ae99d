import { Fragment, useId, useState, type ReactNode } from 'react';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { formatCount } from '@/ui/numbers';
import classes from './HistoryTable.module.css';

/** An order may have thousands of rows: the page stays short until all are wanted. */
const SHOWN_AT_FIRST = 100;

export interface HistoryColumn<Row> {
  title: string;
  /** A share of the width, in percent. */
  width: number;
  /** Printed and not shown: on the screen the page says it already. */
  onPaper?: boolean;
  cell: (row: Row, index: number) => ReactNode;
}

interface HistoryTableProps<Row> {
  title: string;
  columns: readonly HistoryColumn<Row>[];
  /** The loaded rows, the newest last. */
  rows: readonly Row[];
  /** How many there are; given when not all are loaded. */
  total?: number;
  rowKey: (row: Row, index: number) => string | number;
  /** The details of a row, shown while it is open. */
  more?: { id: (row: Row) => string; isOpen: (row: Row) => boolean; cell: (row: Row) => ReactNode };
  /** Shown below the rows. */
  children?: ReactNode;
}

/** One of the order's histories, as a table; as cards where there is no room for one. */
export function HistoryTable<Row>(props: HistoryTableProps<Row>) {
  const { title, columns, rows, rowKey, total = rows.length, more, children } = props;
  const titleId = useId();
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? rows : rows.slice(-SHOWN_AT_FIRST);
  return (
    <Card as="section" className={classes.history} aria-labelledby={titleId}>
      <h2 id={titleId}>{title}</h2>
      {rows.length === 0 ? (
        <p className={classes.none}>No record found</p>
      ) : (
        <table role="table" className={classes.table} aria-labelledby={titleId}>
          <colgroup>
            {columns.map(({ title, width, onPaper }) => (
              <col key={title} data-paper={onPaper} style={{ width: `${width}%` }} />
            ))}
          </colgroup>
          <thead role="rowgroup">
            <tr role="row">
              {columns.map(({ title, onPaper }) => (
                <th key={title} role="columnheader" scope="col" data-paper={onPaper}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody role="rowgroup">
            {shown.map((row, place) => {
              const index = total - shown.length + place;
              return (
                <Fragment key={rowKey(row, index)}>
                  <tr role="row">
                    {columns.map(({ title, onPaper, cell }) => (
                      <td key={title} role="cell" data-label={title} data-paper={onPaper}>
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
                      <td role="cell" colSpan={columns.filter(({ onPaper }) => !onPaper).length}>
                        {more.cell(row)}
                      </td>
                    </tr>
                  )}
                </Fragment>
              );
            })}
          </tbody>
        </table>
      )}
      {shown.length < total && (
        <p className={classes.part}>
          The newest {formatCount(shown.length)} of {formatCount(total)}{' '}
          {shown.length < rows.length && (
            <Button small onClick={() => setWhole(true)}>
              Show {rows.length === total ? 'all' : 'the newest'} {formatCount(rows.length)}
            </Button>
          )}
        </p>
      )}
      {children}
    </Card>
  );
}
