import type { Column } from './column';
import { DataTable } from './DataTable';
import { ListNotice } from './ListNotice';
import { ListBelow } from './ListScreen';
import { useDelayed } from './useDelayed';

const SKELETON_AFTER_MS = 150;
const SKELETON_ROWS: readonly undefined[] = Array.from({ length: 10 });

interface LoadedTableProps<Row> {
  label: string;
  columns: Column<Row>[];
  /** Undefined until they are there. */
  rows: readonly Row[] | undefined;
  rowId: (row: Row, index: number) => number;
  onOpen?: (row: Row) => void;
  /** Why the rows did not come. */
  error: Error | null;
  onRetry: () => void;
  /** Why there are none. */
  emptyReason: string;
  /** Given when a search holds rows back. */
  onClearSearch?: () => void;
}

/** A table whose rows come at once: while they are on their way, when there are none, when they did not come. */
export function LoadedTable<Row>(props: LoadedTableProps<Row>) {
  const { rows, error, onRetry, emptyReason, onClearSearch, ...table } = props;
  const isSlow = useDelayed(rows === undefined && error === null, SKELETON_AFTER_MS);
  const isEmpty = rows?.length === 0;
  return (
    <>
      <DataTable {...table} rows={rows ?? (isSlow ? SKELETON_ROWS : [])}>
        {error && !rows && (
          <ListNotice text={error.message} action={{ label: 'Try again', onClick: onRetry }} />
        )}
        {isEmpty && (
          <ListNotice
            text="No records found"
            reason={emptyReason}
            action={onClearSearch && { label: 'Clear search', onClick: onClearSearch }}
          />
        )}
      </DataTable>
      {isEmpty && <ListBelow>No data available in table</ListBelow>}
      {error && rows && (
        <ListBelow role="alert">
          {error.message}{' '}
          <button type="button" className="button" data-small onClick={onRetry}>
            Try again
          </button>
        </ListBelow>
      )}
    </>
  );
}
