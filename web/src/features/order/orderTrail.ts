import { create } from 'zustand';

/** The list that was shown last, for going to the next order in it. */
interface OrderTrail {
  orderIds: readonly number[];
  /** The URL of the list with its page and search. */
  listPath: string | null;
}

export const useOrderTrail = create<OrderTrail>(() => ({ orderIds: [], listPath: null }));

export function rememberTrail(orderIds: readonly number[], listPath: string): void {
  useOrderTrail.setState({ orderIds, listPath });
}
