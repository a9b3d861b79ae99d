import type { OrderSummary } from '@/api/types';
import { fromOrigin, type Origin } from '@/paths/origin';
import { paths } from '@/paths/staffPaths';
import { Menu, type MenuItem } from '@/ui/Menu';
import { deleteOrders, isOffered, ownLabelOf } from './actions/orderActions';
import { phoneOf } from './phone';

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

/**
 * The actions on one row, where its cells have no room for them. One menu serves the whole list.
 */
export function RowMenu({ row, anchor, origin, onDelete, onClose }: RowMenuProps) {
  const { order_id: id } = row;
  const phone = phoneOf(row.country_code, row.phone_number);
  const items: MenuItem[] = [
    { key: 'view', label: `View ${id}`, to: paths.viewOrder(id), state: fromOrigin(origin) },
  ];
  if (phone) {
    const label = (
      <>
        Call <bdi dir="ltr">{phone.text}</bdi>
      </>
    );
    items.push({ key: 'call', label, href: `tel:${phone.dialled}` });
  }
  if (onDelete && isOffered(deleteOrders, [row])) {
    const onClick = () => onDelete(row);
    const label = `${ownLabelOf(deleteOrders)} ${id}`;
    items.push({ key: 'delete', label, isDanger: true, onClick });
  }
  return <Menu label={`Order ${id}`} anchor={anchor} items={items} onClose={onClose} />;
}
