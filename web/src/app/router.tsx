import type { ComponentType } from 'react';
import { createBrowserRouter, redirect, type RouteObject } from 'react-router';
import { allFolders, folders } from '@/features/order/folders';
import { AdminRoot } from './AdminRoot';
import { useAuth } from '@/session/auth';
import { loadChunk } from '@/ui/loadChunk';
import { paths, TEAM_MEMBER, VIEW_ORDER } from '@/paths/staffPaths';
import { RouteError } from './RouteError';

const listRoutes: RouteObject[] = allFolders
  .filter((folder) => folder !== folders.futureOrder)
  .map((folder) => ({
    path: folder.path,
    lazy: page(
      'order-list',
      () => import('@/pages/OrderListPage'),
      ({ OrderListPage }) =>
        () => <OrderListPage folder={folder} />,
    ),
  }));

const staffRoutes: RouteObject[] = [
  {
    index: true,
    lazy: page(
      'home',
      () => import('@/pages/HomePage'),
      ({ HomePage }) => HomePage,
    ),
  },
  ...listRoutes,
  {
    path: paths.futureOrder,
    lazy: page(
      'future-order',
      () => import('@/pages/FutureOrderPage'),
      ({ FutureOrderPage }) => FutureOrderPage,
    ),
  },
  {
    path: VIEW_ORDER,
    lazy: page(
      'view-order',
      () => import('@/pages/ViewOrderPage'),
      ({ ViewOrderPage }) => ViewOrderPage,
    ),
  },
  {
    path: paths.newPhoneOrder,
    lazy: page(
      'new-phone-order',
      () => import('@/pages/NewPhoneOrderPage'),
      ({ NewPhoneOrderPage }) => NewPhoneOrderPage,
    ),
  },
  {
    path: paths.refundApprovals,
    lazy: page(
      'refund-approvals',
      () => import('@/pages/RefundApprovalsPage'),
      ({ RefundApprovalsPage }) => RefundApprovalsPage,
    ),
  },
  {
    path: paths.countryOrder,
    lazy: page(
      'country-order',
      () => import('@/pages/CountryOrderPage'),
      ({ CountryOrderPage }) => CountryOrderPage,
    ),
  },
  {
    path: paths.processedOrder,
    lazy: page(
      'processed-order',
      () => import('@/pages/ProcessedOrderPage'),
      ({ ProcessedOrderPage }) => ProcessedOrderPage,
    ),
  },
  {
    path: paths.workload,
    lazy: page(
      'workload',
      () => import('@/pages/WorkloadPage'),
      ({ WorkloadPage }) => WorkloadPage,
    ),
  },
  {
    path: paths.gatewaySetting,
    lazy: page(
      'gateway-setting',
      () => import('@/pages/GatewaySettingPage'),
      ({ GatewaySettingPage }) => GatewaySettingPage,
    ),
  },
  {
    path: paths.apiKeys,
    lazy: page(
      'api-keys',
      () => import('@/pages/ApiKeysPage'),
      ({ ApiKeysPage }) => ApiKeysPage,
    ),
  },
  {
    path: paths.cannedTexts,
    lazy: page(
      'canned-texts',
      () => import('@/pages/CannedTextsPage'),
      ({ CannedTextsPage }) => CannedTextsPage,
    ),
  },
  {
    path: paths.paperReasons,
    lazy: page(
      'paper-reasons',
      () => import('@/pages/PaperReasonsPage'),
      ({ PaperReasonsPage }) => PaperReasonsPage,
    ),
  },
  {
    path: paths.changePassword,
    lazy: page(
      'change-password',
      () => import('@/pages/ChangePasswordPage'),
      ({ ChangePasswordPage }) => ChangePasswordPage,
    ),
  },
  {
    path: paths.security,
    lazy: page(
      'security',
      () => import('@/pages/SecurityPage'),
      ({ SecurityPage }) => SecurityPage,
    ),
  },
  {
    path: paths.audit,
    lazy: page(
      'audit',
      () => import('@/pages/AuditPage'),
      ({ AuditPage }) => AuditPage,
    ),
  },
  {
    path: paths.accessLog,
    lazy: page(
      'access-log',
      () => import('@/pages/AccessLogPage'),
      ({ AccessLogPage }) => AccessLogPage,
    ),
  },
  ...[paths.manageTeam, TEAM_MEMBER].map((path) => ({
    path,
    lazy: page(
      'manage-team',
      () => import('@/pages/ManageTeamPage'),
      ({ ManageTeamPage }) => ManageTeamPage,
    ),
  })),
];

export const router = createBrowserRouter([
  {
    errorElement: <RouteError />,
    hydrateFallbackElement: <></>,
    children: [
      {
        path: paths.signIn,
        loader: () => (useAuth.getState().isAuth ? redirect(paths.home) : null),
        lazy: page(
          'sign-in',
          () => import('@/pages/SignInPage'),
          ({ SignInPage }) => SignInPage,
        ),
      },
      {
        path: paths.home,
        Component: AdminRoot,
        // The shell stays when a page fails.
        children: [{ errorElement: <RouteError />, children: staffRoutes }],
      },
    ],
  },
]);

/** A page in its own chunk. */
function page<Module>(
  name: string,
  load: () => Promise<Module>,
  pick: (module: Module) => ComponentType,
) {
  return async () => ({ Component: pick(await loadChunk(name, load, reload)) });
}

/** Loads the document of the page that is being navigated to. */
function reload() {
  const { location: target } = router.state.navigation;
  if (target) location.assign(target.pathname + target.search);
  else location.reload();
}
