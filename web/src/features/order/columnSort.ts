import type { ColumnSort } from '@/ui/column';
import type { ColumnKey } from './columnSets';
import { folders, type Folder } from './folders';
import type { Sort } from './useListParams';

/**
 * The column whose index sorts a list, the order that `sort` is, and its opposite for a click. Other columns have no index, so sorting
 * by them would read the whole list.
 */
export function columnSort(
  folder: Folder,
  sort: Sort | undefined,
  onSort: (sort: Sort | undefined) => void,
): ColumnSort & { key: ColumnKey } {
  const isReversed = sort === 'reversed';
  if (folder === folders.futureOrder) {
    const direction = isReversed ? 'descending' : 'ascending';
    const next = isReversed ? undefined : ('reversed' as const);
    return { key: 'processingDate', direction, onSort: () => onSort(next) };
  }
  const newest = folder.hasUrgency ? ('newest' as const) : undefined;
  const isNewest = sort === newest;
  return {
    key: 'createdAt',
    direction: isReversed ? 'ascending' : isNewest ? 'descending' : undefined,
    onSort: () => onSort(isNewest ? 'reversed' : newest),
  };
}
