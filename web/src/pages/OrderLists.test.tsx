import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { openApp } from '@/testing/openApp';
import { LIST, rowOf } from '@/testing/openList';
import { counts, get, member, orderNumber, server, signedInAs, success } from '@/testing/server';

test.each([
  ['/admin/recent-order', 'New Orders', 'newOrder', 'newOrdersCount'],
  ['/admin/my-order', 'My Orders', 'myOrder', 'myOrdersCount'],
  ['/admin/priority-order', 'Priority Orders', 'priorityOrder', 'priorityOrdersCount'],
  ['/admin/pending-order', 'Pending Orders', 'pendingOrder', 'pendingOrdersCount'],
  ['/admin/completed-order', 'Completed Orders', 'completedOrder', 'completedOrdersCount'],
  ['/admin/deleted-order', 'Deleted Orders', 'deletedOrder', 'deletedOrdersCount'],
  ['/admin/awaiting-response', 'Awaiting Customer', 'awaitingOrder', 'awaitingOrdersCount'],
  ['/admin/awaiting-govt', 'Awaiting Govt', 'awaitingGovtOrder', 'awaitingGovtCount'],
  ['/admin/called', 'Customer Called', 'customerCalledOrder', 'customerCalledCount'],
  [
    '/admin/contact-customer',
    'Contact Customer',
    'contactCustomerOrder',
    'contactCustomerOrdersCount',
  ],
  ['/admin/order-history', 'Order History', 'allOrder', 'allOrdersCount'],
  ['/admin/refund-order', 'Refunds', 'refundOrder', 'refundOrdersCount'],
  ['/admin/chargeback', 'ChargeBack Orders', 'chargeBackOrder', 'chargeBackCount'],
])(
  '%s shows %s with the orders of the folder %s and counts %s',
  async (path, title, orderName, countKey) => {
    signedInAs(member());
    const page = { total: 1, more: false, page: 1, limit: 10 };
    server.use(
      get('/api/admin/get-all-folder-count', () =>
        success({ data: { ...counts, [countKey]: 731 } }),
      ),
      get(LIST, ({ params }) =>
        success({
          data: [orderNumber(params['orderName'] === orderName ? 100234 : 100999)],
          ...page,
        }),
      ),
    );
    await openApp(path);
    expect(await screen.findByRole('heading', { name: title, level: 1 })).toBeVisible();
    expect((await rowOf(100234)).getByRole('checkbox')).toBeVisible();
    const sidebar = within(screen.getByRole('navigation', { name: 'Main' }));
    expect(await sidebar.findByRole('link', { current: 'page' })).toHaveTextContent('731');
  },
);
