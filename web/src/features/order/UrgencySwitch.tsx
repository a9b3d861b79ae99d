import { Button } from '@/ui/Button';
import classes from './UrgencySwitch.module.css';
import type { Sort } from './useListParams';

interface UrgencySwitchProps {
  sort: Sort | undefined;
  onSort: (sort: Sort | undefined) => void;
}

/** The order of a list of disputes. */
export function UrgencySwitch({ sort, onSort }: UrgencySwitchProps) {
  return (
    <div className={classes.switch} role="group" aria-label="Order of the list">
      <Button small aria-pressed={sort === undefined} onClick={() => onSort(undefined)}>
        Most urgent first
      </Button>
      <Button small aria-pressed={sort === 'newest'} onClick={() => onSort('newest')}>
        Newest first
      </Button>
    </div>
  );
}
