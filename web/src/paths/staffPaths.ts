import { encodeId } from './encodedId';

/** Every URL of the staff screens. No other file spells one. */
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
  refundApprovals: '/admin/refund-approvals',
  chargeback: '/admin/chargeback',
  deletedOrder: '/admin/deleted-order',
  orderHistory: '/admin/order-history',
  /** The orders of a list that need a member of staff for this reason. */
  needing: (list: string, needs: string) => `${list}?needs=${needs}`,
  countryOrder: '/admin/country-order',
  processedOrder: '/admin/processed-order',
  manageTeam: '/admin/manage-team',
  teamMember: (memberId: number) => `/admin/manage-team/${encodeURIComponent(encodeId(memberId))}`,
  workload: '/admin/workload',
  gatewaySetting: '/admin/gateway-setting',
  apiKeys: '/admin/api-keys',
  paperReasons: '/admin/paper-reasons',
  cannedTexts: '/admin/canned-texts',
  changePassword: '/admin/change-password',
  security: '/admin/security',
  audit: '/admin/audit',
  accessLog: '/admin/access-log',
  auditOfOrder: (orderId: number) => `/admin/audit?order=${orderId}`,
  futureMonth: (year: number, month: string) => `/admin/future-order?year=${year}&month=${month}`,
  futureYear: (year: number) => `/admin/future-order?year=${year}`,
  newPhoneOrder: '/admin/new-phone-order',
  viewOrder: (orderId: number) => `/admin/view-order/${encodeURIComponent(encodeId(orderId))}`,
} as const;

/** The route pattern of `paths.viewOrder`. */
export const VIEW_ORDER = '/admin/view-order/:orderId';

/** The route pattern of `paths.teamMember`. */
export const TEAM_MEMBER = '/admin/manage-team/:teamMemberId';
