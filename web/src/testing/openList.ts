import { screen, within } from '@testing-library/react';
import type { OrderSummary } from '@/api/types';
import { paths } from '@/paths/staffPaths';
import { openApp } from './openApp';
import { listOf, member, server, signedInAs } from './server';

/** The call of a list, for handlers. */
export const LIST = '/api/admin/get-orders-list/:orderName';

/** Opens New Orders with these rows as `me`, by default with all permissions. */
export async function openNewOrders(rows: OrderSummary[], me = member()) {
  signedInAs(me);
  server.use(listOf('newOrder', rows));
  return openApp(paths.recentOrder);
}

/** The row of an order, once it is shown. */
export async function rowOf(id: number) {
  return within(await screen.findByRole('row', { name: new RegExp(`${id}`) }));
}
