import { memo } from 'react';
import type { Column } from './column';
import classes from './table.module.css';

interface DataRowProps<Row> {
  index: number;
  /** Undefined while the row is loading. */
  row: Row | undefined;
  id: number | undefined;
  columns: Column<Row>[];
  /** Undefined, like `onToggle`, where rows cannot be selected. */
  selected: boolean | undefined;
  onToggle: ((row: Row) => void) | undefined;
  /** Given when only the rows on screen exist. */
  measure: ((row: HTMLTableRowElement | null) => void) | undefined;
}

/** A row of native elements; it draws again only when its own content changes. */
export const DataRow = memo(function DataRow<Row>(props: DataRowProps<Row>) {
  const { index, row, id, columns, selected, onToggle, measure } = props;
  const position = measure && { ref: measure, 'aria-rowindex': index + 2 };
  if (row === undefined) {
    return (
      <tr {...position} role="row" data-index={index}>
        {onToggle && <td role="cell" />}
        {columns.map(({ title, key }) => (
          <td key={title} role="cell" data-col={key}>
            <span className={classes.skeleton} />
          </td>
        ))}
      </tr>
    );
  }
  return (
    <tr
      {...position}
      role="row"
      data-index={index}
      tabIndex={-1}
      data-selected={selected || undefined}
      className={classes.row}
    >
      {onToggle && (
        <td role="cell" className={classes.tick}>
          <label>
            <input
              type="checkbox"
              aria-label={`Select ${id}`}
              checked={selected}
              onChange={() => onToggle(row)}
            />
          </label>
        </td>
      )}
      {columns.map(({ title, key, cell, isNumber }) => (
        <td
          key={title}
          role="cell"
          data-label={title}
          data-col={key}
          data-number={isNumber || undefined}
        >
          {cell(row)}
        </td>
      ))}
    </tr>
  );
}) as <Row>(props: DataRowProps<Row>) => React.ReactNode;
