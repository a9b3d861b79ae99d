import { createBrowserRouter, redirect, type RouteObject } from 'react-router';
import { allFolders, folders, type Folder } from '@/features/order/folders';
import { AdminRoot } from './AdminRoot';
import { useAuth } from './auth';
import { loadChunk } from './loadChunk';
import { paths, VIEW_ORDER } from './paths';
import { RouteError } from './RouteError';

const lists = allFolders.filter((folder) => folder !== folders.futureOrder);

export const routes: RouteObject[] = [
  {
    errorElement: <RouteError />,
    hydrateFallbackElement: <></>,
    children: [
      {
        path: paths.signIn,
        loader: () => (useAuth.getState().isAuth ? redirect(paths.home) : null),
        lazy: async () => {
          const { SignInPage } = await loadChunk('sign-in', () => import('@/pages/SignInPage'));
          return { Component: SignInPage };
        },
      },
      {
        path: paths.home,
        Component: AdminRoot,
        children: [
          {
            errorElement: <RouteError />,
            children: [
              {
                index: true,
                lazy: async () => {
                  const { HomePage } = await loadChunk('home', () => import('@/pages/HomePage'));
                  return { Component: HomePage };
                },
              },
              ...lists.map(listRoute),
              {
                path: paths.futureOrder,
                lazy: async () => {
                  const { FutureOrderPage } = await loadChunk(
                    'future-order',
                    () => import('@/pages/FutureOrderPage'),
                  );
                  return { Component: FutureOrderPage };
                },
              },
              {
                path: VIEW_ORDER,
                lazy: async () => {
                  const { ViewOrderPage } = await loadChunk(
                    'view-order',
                    () => import('@/pages/ViewOrderPage'),
                  );
                  return { Component: ViewOrderPage };
                },
              },
            ],
          },
        ],
      },
    ],
  },
];

function listRoute(folder: Folder): RouteObject {
  return {
    path: folder.path,
    lazy: async () => {
      const { OrderListPage } = await loadChunk(
        'order-list',
        () => import('@/pages/OrderListPage'),
      );
      return { element: <OrderListPage folder={folder} /> };
    },
  };
}

export const router = createBrowserRouter(routes);
