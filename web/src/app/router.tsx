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
    lazy: async () => {
      const { OrderListPage } = await load('OrderListPage', () => import('@/pages/OrderListPage'));
      return { Component: () => <OrderListPage folder={folder} /> };
    },
  }));

const staffRoutes: RouteObject[] = [
  { index: true, lazy: screen('HomePage', () => import('@/pages/HomePage')) },
  ...listRoutes,
  route(paths.futureOrder, 'FutureOrderPage', () => import('@/pages/FutureOrderPage')),
  route(VIEW_ORDER, 'ViewOrderPage', () => import('@/pages/ViewOrderPage')),
  route(paths.newPhoneOrder, 'PhoneOrder', () => import('@/features/order/byPhone/PhoneOrder')),
  route(
    paths.refundApprovals,
    'RefundApprovals',
    () => import('@/features/order/approvals/RefundApprovals'),
  ),
  route(paths.countryOrder, 'CountryOrders', () => import('@/features/report/CountryOrders')),
  route(paths.processedOrder, 'ProcessedOrders', () => import('@/features/report/ProcessedOrders')),
  route(paths.workload, 'Workload', () => import('@/features/order/workload/Workload')),
  route(paths.gatewaySetting, 'GatewaySetting', () => import('@/features/gateway/GatewaySetting')),
  route(paths.apiKeys, 'ApiKeys', () => import('@/features/apiKeys/ApiKeys')),
  route(paths.cannedTexts, 'CannedTexts', () => import('@/features/order/cannedTexts/CannedTexts')),
  route(
    paths.paperReasons,
    'PaperReasons',
    () => import('@/features/order/paperReasons/PaperReasons'),
  ),
  route(
    paths.changePassword,
    'ChangePasswordForm',
    () => import('@/features/auth/ChangePasswordForm'),
  ),
  route(paths.security, 'SecurityPage', () => import('@/pages/SecurityPage')),
  route(paths.audit, 'AuditList', () => import('@/features/audit/AuditList')),
  route(paths.accessLog, 'AccessLogPage', () => import('@/pages/AccessLogPage')),
  route(paths.manageTeam, 'ManageTeam', () => import('@/features/manageTeam/ManageTeam')),
  route(TEAM_MEMBER, 'ManageTeam', () => import('@/features/manageTeam/ManageTeam')),
];

export const router = createBrowserRouter([
  {
    errorElement: <RouteError />,
    hydrateFallbackElement: <></>,
    children: [
      {
        path: paths.signIn,
        loader: () => (useAuth.getState().isAuth ? redirect(paths.home) : null),
        lazy: screen('SignInPage', () => import('@/pages/SignInPage')),
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

/** A screen in its own chunk, under the name that its module exports. */
function screen<Name extends string>(
  name: Name,
  module: () => Promise<Record<Name, ComponentType>>,
) {
  return async () => ({ Component: (await load(name, module))[name] });
}

function route<Name extends string>(
  path: string,
  name: Name,
  module: () => Promise<Record<Name, ComponentType>>,
): RouteObject {
  return { path, lazy: screen(name, module) };
}

function load<Module>(name: string, module: () => Promise<Module>): Promise<Module> {
  return loadChunk(name, module, reload);
}

/** Loads the document of the page that is being navigated to. */
function reload() {
  const { location: target } = router.state.navigation;
  if (target) location.assign(target.pathname + target.search);
  else location.reload();
}
