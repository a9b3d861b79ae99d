import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { OrderFiling } from '@/api/types';
import { paths } from '@/paths/staffPaths';
import { openApp } from '@/testing/openApp';
import { openOrder } from '@/testing/openOrder';
import { answerDetails, detailsOf } from '@/testing/orderDetails';
import { get, member, server, signedInAs, success } from '@/testing/server';

const FILING: OrderFiling = {
  sections: [],
  warnings: [],
  files: [],
  limits_as_of: '2026-11-21',
  filings: [],
  fees: [],
  can_file: true,
  can_refuse: false,
};

const view = (name: string) =>
  within(screen.getByRole('navigation', { name: 'Views of the order' })).getByRole('link', {
    name,
  });
const filing = () => screen.findByRole('region', { name: /Copy the values/ });

beforeEach(() => {
  server.use(get('/api/admin/order-filing/:orderId', () => success({ data: FILING })));
});
const mails = () => screen.findByRole('region', { name: 'Emails' });
const comment = () => screen.getByRole('textbox', { name: 'Add Comment Below', hidden: true });

test('the key f opens the filing of an order, and the order again', async () => {
  const user = await openOrder();
  expect(view('Order')).toHaveAttribute('aria-current', 'page');
  await user.keyboard('f');
  expect(await filing()).toBeVisible();
  expect(location.search).toBe('?view=filing');
  expect(view('Filing')).toHaveAttribute('aria-current', 'page');
  expect(screen.queryByRole('region', { name: 'Emails' })).toBeNull();
  await user.keyboard('f');
  expect(await mails()).toBeVisible();
  expect(location.search).toBe('');
});

test('the view of the address is shown, and a link leads to the other', async () => {
  signedInAs(member());
  answerDetails(() => detailsOf(100234));
  const user = await openApp(`${paths.viewOrder(100234)}?view=filing`);
  expect(await filing()).toBeVisible();
  view('Order').focus();
  await user.keyboard('{Enter}');
  expect(await mails()).toBeVisible();
});

test('a view that was left keeps what was typed, and the moves stay in reach', async () => {
  const user = await openOrder();
  const field = comment();
  await user.type(field, 'Called, sends it');
  await user.click(view('Filing'));
  expect(await filing()).toBeVisible();
  expect(field).not.toBeVisible();
  await user.keyboard('m');
  expect(screen.getByRole('dialog', { name: 'Move order 100234' })).toBeVisible();
  await user.keyboard('{Escape}');
  await user.click(view('Order'));
  await mails();
  expect(comment()).toBe(field);
  expect(field).toHaveValue('Called, sends it');
});
