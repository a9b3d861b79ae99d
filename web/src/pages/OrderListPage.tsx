import { useMe } from '@/session/me';
import { useListSettings } from '@/features/auth/useListSettings';
import type { Folder } from '@/features/order/folders';
import { OrderList } from '@/features/order/OrderList';

export function OrderListPage({ folder }: { folder: Folder }) {
  return (
    <OrderList key={folder.orderName} folder={folder} me={useMe()} onSettings={useListSettings()} />
  );
}
