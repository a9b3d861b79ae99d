import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef, type CSSProperties, type ReactNode, type RefObject } from 'react';
import type { Column } from './column';
import { DataRow } from './DataRow';
import classes from './table.module.css';
import cards from './cards.module.css';
import { useFocusAfterRemoval } from './useFocusAfterRemoval';
import { useRowHotkeys } from './useRowHotkeys';

const VIRTUAL_ABOVE = 200;
/** The heights of rows of one line and of two, as in the styles. Scrolling to a row that was never laid out relies on them. */
const ROW_HEIGHTS_PX = { comfortable: [44, 50], compact: [32, 46] } as const;

/**
 * The look of a table whose columns were chosen for its width. On a phone its rows are cards of three
 * lines.
 */
export interface FittedLook {
  density: 'comfortable' | 'compact';
  /** Rows have two lines. */
  twoLines: boolean;
}
const PICK_WIDTH_PX = 40;

/** Which rows are ticked, and how that changes. */
export interface Selection<Row> {
  /** The ids of the selected rows. */
  selected: { readonly size: number; has: (id: number) => boolean };
  onToggle: (row: Row) => void;
  onToggleAll: () => void;
}

export interface DataTableProps<Row> {
  label: string;
  columns: Column<Row>[];
  /** The rows in order; undefined for one that is not loaded yet. */
  rows: readonly (Row | undefined)[];
  /** The id of a row, which also names its checkbox. */
  rowId: (row: Row, index: number) => number;
  /** Given when rows can be selected. */
  selection?: Selection<Row>;
  /** Called for Enter on a row. */
  onOpen?: (row: Row) => void;
  /** Called with the range of rows on the screen, when there are too many to render all. */
  onRange?: (first: number, last: number) => void;
  /** Shown in place of rows. */
  children?: ReactNode;
  /** Given when the columns were chosen for the width. */
  fitted?: FittedLook;
  /** Given when its place is remembered. */
  scroller?: RefObject<HTMLDivElement | null>;
}

/** A table with a fixed header. Above 200 rows only those on screen exist. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { columns, rows, rowId, selection, fitted } = props;
  const ownScroller = useRef<HTMLDivElement>(null);
  const scroller = props.scroller ?? ownScroller;
  const body = useRef<HTMLTableSectionElement>(null);
  const isVirtual = rows.length > VIRTUAL_ABOVE;
  const virtualizer = useVirtualizer({
    enabled: isVirtual,
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHTS_PX[fitted?.density ?? 'comfortable'][fitted?.twoLines ? 1 : 0],
    overscan: 8,
    onChange: ({ range }) => range && props.onRange?.(range.startIndex, range.endIndex),
  });
  useRowHotkeys({
    body,
    rows,
    onToggle: selection?.onToggle,
    onOpen: props.onOpen,
    reveal: (index) => isVirtual && virtualizer.scrollToIndex(index),
  });

  const ids = useMemo(
    () => rows.map((row, index) => (row === undefined ? undefined : rowId(row, index))),
    [rows, rowId],
  );
  useFocusAfterRemoval(scroller, ids);

  const items = virtualizer.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0);
  const shown = isVirtual ? items.map(({ index }) => index) : rows.map((_, index) => index);
  const hasRows = rows.some((row) => row !== undefined);
  const hasTotals = hasRows && columns.some(({ total }) => total !== undefined);
  const pickWidthPx = selection ? PICK_WIDTH_PX : 0;
  const leastWidth = columns.reduce((sum, { widthPx }) => sum + widthPx, pickWidthPx);
  const leastNarrowWidth = columns.reduce((sum, column) => sum + leastNarrow(column), pickWidthPx);

  return (
    <div
      ref={scroller}
      className={classes.scroller}
      data-virtual={isVirtual || undefined}
      // With nothing in it that takes the focus, it could not be scrolled with the keyboard.
      tabIndex={selection && hasRows ? -1 : 0}
    >
      <table
        role="table"
        className={fitted ? `${classes.table} ${cards.cards}` : classes.table}
        style={
          {
            '--least-width': `${leastWidth}px`,
            '--least-narrow-width': `${leastNarrowWidth}px`,
          } as CSSProperties
        }
        data-plain={!selection || undefined}
        data-fitted={fitted?.density}
        data-two-lines={fitted?.twoLines || undefined}
        aria-label={props.label}
        aria-rowcount={isVirtual ? rows.length + 1 : undefined}
      >
        <colgroup>
          {selection && <col style={{ width: PICK_WIDTH_PX }} />}
          {columns.map((column) => (
            <col key={column.title} style={columnWidths(column)} />
          ))}
        </colgroup>
        <thead role="rowgroup">
          <tr role="row" aria-rowindex={isVirtual ? 1 : undefined}>
            {selection && (
              <th role="columnheader" scope="col">
                <PickAll ids={ids} selection={selection} />
              </th>
            )}
            {columns.map(({ title, key, isNumber, sort }) => (
              <th
                key={title}
                role="columnheader"
                scope="col"
                data-col={key}
                data-number={isNumber || undefined}
                aria-sort={sort && (sort.direction ?? 'none')}
              >
                {sort ? (
                  <button type="button" className={classes.sort} onClick={sort.onSort}>
                    {title}
                  </button>
                ) : (
                  title
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body} role="rowgroup">
          {isVirtual && <tr aria-hidden="true" style={{ height: before }} />}
          {shown.map((index) => {
            const row = rows[index];
            return (
              <DataRow
                key={ids[index] ?? `waiting ${index}`}
                index={index}
                row={row}
                id={ids[index]}
                columns={columns}
                selected={row && selection?.selected.has(ids[index]!)}
                onToggle={selection?.onToggle}
                measure={isVirtual ? virtualizer.measureElement : undefined}
              />
            );
          })}
          {isVirtual && <tr aria-hidden="true" style={{ height: after }} />}
        </tbody>
        {hasTotals && (
          <tfoot role="rowgroup">
            <tr role="row">
              {columns.map(({ title, total, isNumber }) => (
                <td key={title} role="cell" data-label={title} data-number={isNumber || undefined}>
                  {total}
                </td>
              ))}
            </tr>
          </tfoot>
        )}
      </table>
      {props.children}
    </div>
  );
}

/** The least width of a growing column where the table has little room. */
const LEAST_GROWING_PX = 40;

function leastNarrow<Row>({ grows, narrowPx, widthPx }: Column<Row>): number {
  return grows ? LEAST_GROWING_PX : (narrowPx ?? widthPx);
}

function columnWidths<Row>({ grows, narrowPx, widthPx }: Column<Row>): CSSProperties | undefined {
  if (grows) return undefined;
  return {
    '--width': `${widthPx}px`,
    '--narrow-width': `${narrowPx ?? widthPx}px`,
  } as CSSProperties;
}

interface PickAllProps<Row> {
  /** The ids of the rows; undefined for one that is not loaded, which cannot be selected. */
  ids: readonly (number | undefined)[];
  selection: Selection<Row>;
}

function PickAll<Row>({ ids, selection }: PickAllProps<Row>) {
  const { selected, onToggleAll } = selection;
  if (ids.every((id) => id === undefined)) return null;
  const allSelected = ids.every((id) => id !== undefined && selected.has(id));
  return (
    <label>
      <input
        type="checkbox"
        aria-label="Select all"
        checked={allSelected}
        ref={(box) => {
          if (box) box.indeterminate = selected.size > 0 && !allSelected;
        }}
        onChange={onToggleAll}
      />
    </label>
  );
}
