/** Every URL of the app. No other file spells one. */
export const paths = {
  signIn: '/',
  home: '/admin',
  myOrder: '/admin/my-order',
  recentOrder: '/admin/recent-order',
  priorityOrder: '/admin/priority-order',
  pendingOrder: '/admin/pending-order',
  futureOrder: '/admin/future-order',
  awaitingResponse: '/admin/awaiting-response',
  awaitingGovt: '/admin/awaiting-govt',
  contactCustomer: '/admin/contact-customer',
  called: '/admin/called',
  completedOrder: '/admin/completed-order',
  refundOrder: '/admin/refund-order',
  chargeback: '/admin/chargeback',
  deletedOrder: '/admin/deleted-order',
  orderHistory: '/admin/order-history',
  countryOrder: '/admin/country-order',
  processedOrder: '/admin/processed-order',
  manageTeam: '/admin/manage-team',
  teamMember: (memberId: number) => `/admin/manage-team/${encodeURIComponent(encodeId(memberId))}`,
  gatewaySetting: '/admin/gateway-setting',
  changePassword: '/admin/change-password',
  audit: '/admin/audit',
  auditOfOrder: (orderId: number) => `/admin/audit?order=${orderId}`,
  futureMonth: (year: number, month: string) => `/admin/future-order?year=${year}&month=${month}`,
  futureYear: (year: number) => `/admin/future-order?year=${year}`,
  viewOrder: (orderId: number) => `/admin/view-order/${encodeURIComponent(encodeId(orderId))}`,
} as const;

/** The URLs of the public pages. Apart, so that a visitor's phone does not load those of the staff. */
export const publicPaths = {
  trackOrder: (orderId: number) => `/track-order/${encodeURIComponent(encodeId(orderId))}`,
  newOrderDetails: (orderId: number) =>
    `/get-new-order-details/${encodeURIComponent(encodeId(orderId))}`,
} as const;

/** The route pattern behind `paths.viewOrder`. */
export const VIEW_ORDER = '/admin/view-order/:orderId';

/** The route pattern behind `paths.teamMember`. */
export const TEAM_MEMBER = '/admin/manage-team/:teamMemberId';

/** An id as links carry it: base64 of twice its value. A name, never a right. */
export function encodeId(id: number): string {
  return btoa(String(id * 2));
}

/** The id behind its encoded form, or null when there is none. */
export function decodeId(encoded: string): number | null {
  try {
    const digits = atob(encoded);
    const id = Number(digits) / 2;
    return /^\d+$/.test(digits) && Number.isSafeInteger(id) && id > 0 ? id : null;
  } catch {
    return null;
  }
}

/** The id that somebody wrote plain (`100001`), printed (`VD-100001`) or encoded, or null when it is none of these. */
export function readId(written: string): number | null {
  const digits = /^(?:VD-)?(\d+)$/i.exec(written.trim())?.[1];
  if (!digits) return decodeId(written.trim());
  const id = Number(digits);
  return Number.isSafeInteger(id) && id > 0 ? id : null;
}
