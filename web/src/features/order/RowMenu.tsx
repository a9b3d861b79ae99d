import { Link } from 'react-router';
import type { OrderSummary } from '@/api/types';
import { fromOrigin, type Origin } from '@/paths/origin';
import { paths } from '@/paths/staffPaths';
import { Popover } from '@/ui/Popover';
import { phoneOf } from './phone';
import classes from './RowMenu.module.css';

/** The row whose menu is open, and the button that opened it. */
export interface OpenMenu {
  row: OrderSummary;
  anchor: HTMLElement;
}

interface RowMenuProps extends OpenMenu {
  origin: Origin;
  onDelete: ((row: OrderSummary) => void) | undefined;
  onClose: () => void;
}

/** What can be done with one row, where its cells have no room for it. One menu serves the whole list. */
export function RowMenu({ row, anchor, origin, onDelete, onClose }: RowMenuProps) {
  const phone = phoneOf(row.country_code, row.phone_number);
  return (
    <Popover label={`Order ${row.order_id}`} role="menu" anchor={anchor} onClose={onClose}>
      <Link
        className={classes.item}
        role="menuitem"
        to={paths.viewOrder(row.order_id)}
        state={fromOrigin(origin)}
      >
        View {row.order_id}
      </Link>
      {phone && (
        <a className={classes.item} role="menuitem" href={`tel:${phone.dialled}`}>
          Call <bdi dir="ltr">{phone.text}</bdi>
        </a>
      )}
      {onDelete && row.allowed.delete && (
        <button
          type="button"
          className={classes.item}
          role="menuitem"
          data-danger
          onClick={() => {
            onClose();
            onDelete(row);
          }}
        >
          Delete {row.order_id}
        </button>
      )}
    </Popover>
  );
}
