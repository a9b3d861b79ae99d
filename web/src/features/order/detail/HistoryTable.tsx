import { Fragment, useId, useRef, useState, type ReactNode } from 'react';
import { Card } from '@/ui/Card';
import { Folded } from '@/ui/Folded';
import { formatCount } from '@/ui/numbers';
import { ShowOlder } from '@/ui/ShowOlder';
import classes from './HistoryTable.module.css';
import type { History } from './useHistory';
import { useIsWide } from './useIsWide';

/** The details of a row, and the attributes of the button that opens and closes them. */
export interface RowDetails {
  isOpen: boolean;
  button: { 'aria-expanded': boolean; 'aria-controls': string; onClick: () => void };
}

export interface HistoryColumn<Row> {
  title: string;
  /** A share of the width, in percent. */
  width: number;
  /** Printed and not shown: on the screen the page says it already. */
  onPaper?: boolean;
  cell: (row: Row, index: number, details: RowDetails) => ReactNode;
}

interface HistoryTableProps<Row> {
  title: string;
  columns: readonly HistoryColumn<Row>[];
  history: History<Row>;
  rowKey: (row: Row, index: number) => string | number;
  /** The details of a row, shown while they are open. */
  more?: { startOpen: boolean; cell: (row: Row) => ReactNode };
  /** Said of the newest row while the history is folded. */
  gist?: (newest: Row) => ReactNode;
  /** Shown below the rows. */
  children?: ReactNode;
}

/** A history of the order, as a table; as cards where there is no room for one. */
export function HistoryTable<Row>(props: HistoryTableProps<Row>) {
  const { title, columns, history, rowKey, more, gist, children } = props;
  const { rows, total = rows.length, older } = history;
  const newest = rows.at(-1);
  const isWide = useIsWide();
  const titleId = useId();
  const [toggled, setToggled] = useState<ReadonlySet<string | number>>(new Set());
  const detailsOf = (key: string | number): RowDetails => {
    const isOpen = more?.startOpen !== toggled.has(key);
    const onClick = () => {
      const after = new Set(toggled);
      if (!after.delete(key)) after.add(key);
      setToggled(after);
    };
    const button = { 'aria-expanded': isOpen, 'aria-controls': `${titleId}-${key}`, onClick };
    return { isOpen, button };
  };
  const table = useRef<HTMLTableElement>(null);
  return (
    <Card as="section" className={classes.history} aria-labelledby={titleId}>
      <Folded
        title={title}
        titleId={titleId}
        note={formatCount(total)}
        gist={newest && gist?.(newest)}
        folds={isWide}
      >
        {/* Above the rows, because older ones are added there. */}
        <div className={classes.part} data-part={rows.length < total || undefined}>
          {rows.length < total &&
            `The newest ${formatCount(rows.length)} of ${formatCount(total)} `}
          <ShowOlder older={older} shown={rows.length} total={total} list={table} />
        </div>
        {rows.length === 0 ? (
          <p className={classes.none}>No record found</p>
        ) : (
          <table
            ref={table}
            role="table"
            tabIndex={-1}
            className={classes.table}
            aria-labelledby={titleId}
          >
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
              {rows.map((row, place) => {
                const index = total - rows.length + place;
                const key = rowKey(row, index);
                const details = detailsOf(key);
                return (
                  <Fragment key={key}>
                    <tr role="row">
                      {columns.map(({ title, onPaper, cell }) => (
                        <td key={title} role="cell" data-label={title} data-paper={onPaper}>
                          {cell(row, index, details)}
                        </td>
                      ))}
                    </tr>
                    {more && (
                      <tr
                        role="row"
                        id={details.button['aria-controls']}
                        className={classes.more}
                        hidden={!details.isOpen}
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
        {children}
      </Folded>
    </Card>
  );
}
