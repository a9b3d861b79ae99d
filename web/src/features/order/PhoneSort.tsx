import { Button } from '@/ui/Button';
import { folders, type Folder } from './folders';
import type { Sort } from './useListParams';

interface PhoneSortProps {
  folder: Folder;
  sort: Sort | undefined;
  onSort: (sort: Sort | undefined) => void;
}

/** The reversed order of a list on phones, whose cards have no titles of columns to choose it by. */
export function PhoneSort({ folder, sort, onSort }: PhoneSortProps) {
  const isReversed = sort === 'reversed';
  return (
    <Button aria-pressed={isReversed} onClick={() => onSort(isReversed ? undefined : 'reversed')}>
      {folder === folders.futureOrder ? 'Latest first' : 'Oldest first'}
    </Button>
  );
}
