import { DataTable, type DataTableProps } from './DataTable';
import { ListNotice } from './ListNotice';
import { TableNote } from './ListScreen';
import { useDelayed } from './useDelayed';
import { TryAgain } from './TryAgain';

const SKELETON_AFTER_MS = 150;
const SKELETON_ROWS: readonly undefined[] = Array.from({ length: 10 });

interface LoadedTableProps<Row> extends Omit<DataTableProps<Row>, 'rows' | 'children'> {
  /** Undefined until they are loaded. */
  rows: DataTableProps<Row>['rows'] | undefined;
  /** Why loading failed. */
  error: Error | null;
  onRetry: () => void;
  /** Why there are no rows. */
  emptyReason: string;
  /** Given when a search or a filter hides rows. */
  onClear?: (() => void) | undefined;
  /** The label of its button. */
  clearLabel?: string;
}

/** A table of loaded rows: also while they load, when there are none and when loading failed. */
export function LoadedTable<Row>(props: LoadedTableProps<Row>) {
  const {
    rows,
    error,
    onRetry,
    emptyReason,
    onClear,
    clearLabel = 'Clear search',
    ...table
  } = props;
  const isSlow = useDelayed(rows === undefined && error === null, SKELETON_AFTER_MS);
  const isEmpty = rows?.length === 0;
  return (
    <>
      <DataTable {...table} rows={rows ?? (isSlow ? SKELETON_ROWS : [])}>
        {error && !rows && <ListNotice text={error.message} onRetry={onRetry} />}
        {isEmpty && (
          <ListNotice
            text="No records found"
            reason={emptyReason}
            action={onClear && { label: clearLabel, onClick: onClear }}
          />
        )}
      </DataTable>
      {isEmpty && <TableNote>No data available in table</TableNote>}
      {error && rows && (
        <TableNote role="alert">
          {error.message} <TryAgain small onClick={onRetry} />
        </TableNote>
      )}
    </>
  );
}
