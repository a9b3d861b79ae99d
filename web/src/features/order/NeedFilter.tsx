import { Button } from '@/ui/Button';
import classes from './NeedFilter.module.css';
import { NEED_TEXTS, type Needs } from './needs';

interface NeedFilterProps {
  needs: Needs;
  onShowAll: () => void;
}

/** Says that the list shows only orders with a need, and leads back to all of them. */
export function NeedFilter({ needs, onShowAll }: NeedFilterProps) {
  return (
    <p className={classes.filter}>
      Only: {NEED_TEXTS[needs].title}
      <Button kind="text" small onClick={onShowAll}>
        Show all orders
      </Button>
    </p>
  );
}
