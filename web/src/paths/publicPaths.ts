import { encodeId } from './encodedId';

/** The URLs of the public pages. Separate, so that visitors do not load the staff URLs. */
export const publicPaths = {
  trackOrder: (orderId: number) => `/track-order/${encodeURIComponent(encodeId(orderId))}`,
  newOrderDetails: (orderId: number) =>
    `/get-new-order-details/${encodeURIComponent(encodeId(orderId))}`,
} as const;
