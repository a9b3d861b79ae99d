import type { Permission } from '@/api/types';
import { paths } from '@/paths/staffPaths';

/** A link of the sidebar that leads to no folder. */
export interface OfficeLink {
  title: string;
  path: string;
  /** The permission that the link needs; without it everyone sees the link. */
  seenWith?: Permission;
}

/** The links of the sidebar's section Office, in their order. */
export const officeLinks: readonly OfficeLink[] = [
  { title: 'Refund Approvals', path: paths.refundApprovals },
  { title: 'Country Order List', path: paths.countryOrder },
  { title: 'Order Processed', path: paths.processedOrder, seenWith: 'see_processed' },
  { title: 'Manage Team', path: paths.manageTeam, seenWith: 'manage_team' },
  { title: 'Workload', path: paths.workload, seenWith: 'manage_team' },
  { title: 'Gateway Setting', path: paths.gatewaySetting, seenWith: 'set_gateway' },
  { title: 'API Keys', path: paths.apiKeys, seenWith: 'manage_api_keys' },
  { title: 'Audit', path: paths.audit, seenWith: 'see_audit' },
  { title: 'Access Log', path: paths.accessLog, seenWith: 'see_access_log' },
  { title: 'Change Password', path: paths.changePassword },
  { title: 'Sign-in Security', path: paths.security },
  { title: 'Canned texts', path: paths.cannedTexts },
  { title: 'Reasons for documents', path: paths.paperReasons, seenWith: 'edit_paper_reasons' },
];
