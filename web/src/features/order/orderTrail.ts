import { create } from 'zustand';
import type { OrderPageRequest } from './orderQueries';

/** A page of a list, and how many rows the whole list has. */
export interface TrailPage {
  request: OrderPageRequest;
  total: number;
  /** True if there are more orders than `total`. */
  more: boolean;
}

/** The list that was shown last, for going to the next order in it. */
interface OrderTrail {
  orderIds: readonly number[];
  /** The URL of the list with its page and search. */
  listPath: string | null;
  /** Null: all rows of the list are in `orderIds`. */
  page: TrailPage | null;
}

export const useOrderTrail = create<OrderTrail>(() => ({
  orderIds: [],
  listPath: null,
  page: null,
}));

export function rememberTrail(
  orderIds: readonly number[],
  listPath: string,
  page: TrailPage | null,
): void {
  useOrderTrail.setState({ orderIds, listPath, page });
}
