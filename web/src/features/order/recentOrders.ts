import { create } from 'zustand';
import type { FoundOrder } from '@/api/types';

/** An order as the palette lists it. */
export type RecentOrder = Pick<
  FoundOrder,
  'order_id' | 'order_number' | 'full_name' | 'contact_email_address' | 'process_status'
>;

const MAX_RECENT = 6;

/** The orders that this tab has opened, the latest first. They are never stored: they go with the session. */
export const useRecentOrders = create<{ orders: readonly RecentOrder[] }>(() => ({ orders: [] }));

/** Puts an opened order first. */
export function rememberOrder(order: RecentOrder): void {
  const { order_id, order_number, full_name, contact_email_address, process_status } = order;
  const opened = { order_id, order_number, full_name, contact_email_address, process_status };
  useRecentOrders.setState(({ orders }) => {
    const others = orders.filter((other) => other.order_id !== order_id);
    return { orders: [opened, ...others].slice(0, MAX_RECENT) };
  });
}

/** Forgets all of them. */
export function forgetRecentOrders(): void {
  useRecentOrders.setState({ orders: [] });
}
