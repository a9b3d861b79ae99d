import { create } from 'zustand';

/** The list an order was opened from, for going to the next order in it and back to it. */
interface OrderTrail {
  orderIds: readonly number[];
  /** The URL of the list with its page and search. */
  backTo: string | null;
}

export const useOrderTrail = create<OrderTrail>(() => ({ orderIds: [], backTo: null }));

export function rememberTrail(orderIds: readonly number[], backTo: string): void {
  useOrderTrail.setState({ orderIds, backTo });
}
