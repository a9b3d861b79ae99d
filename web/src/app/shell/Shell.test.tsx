import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { closeApp, openApp, place } from '@/testing/openApp';
import { allFolders } from '@/features/order/folders';
import { screenOf } from '@/testing/screenOf';
import {
  counts,
  get,
  listOf,
  member,
  post,
  refusal,
  server,
  signedInAs,
  success,
} from '@/testing/server';

const sidebar = async () => within(await screen.findByRole('navigation', { name: 'Main' }));

test('the sidebar shows every folder with its count and marks the current one', async () => {
  signedInAs(member());
  server.use(listOf('refundOrder', []));
  await openApp('/admin/refund-order');
  const links = await waitFor(async () => {
    const all = (await sidebar()).getAllByRole('link').map(({ textContent }) => textContent);
    expect(all).toContain(`Refunds ${counts.refundOrdersCount}`);
    return all;
  });
  expect(links).toHaveLength(28);
  expect(links).toContain('Refund Approvals');
  expect(links).toContain('Reasons for documents');
  expect(links[0]).toBe('Dashboard');
  expect(links).toContain(`Deleted Order ${counts.deletedOrdersCount}`);
  for (const { title, linkLabel = title, countKey } of allFolders) {
    expect(links).toContain(`${linkLabel} ${counts[countKey]}`);
  }
  const present = (await sidebar()).getByRole('link', { name: /Refunds/ });
  expect(present).toHaveAttribute('aria-current', 'page');
});

test('the top bar shows the product, a welcome and a menu with Logout', async () => {
  signedInAs(member());
  const user = await openApp('/admin');
  const bar = within(await screen.findByRole('banner'));
  expect(bar.getByRole('link', { name: 'Visadesk' })).toHaveAttribute('href', '/admin');
  await user.click(await bar.findByRole('button', { name: 'Welcome, Ayu Lestari' }));
  const entries = await screen.findAllByRole('menuitem');
  expect(entries.map(({ textContent }) => textContent)).toContain('Logout');
});

test('without permission there is no link to Order History', async () => {
  signedInAs(member({}));
  await openApp('/admin');
  expect(await screen.findByRole('link', { name: /^Refunds/ })).toBeVisible();
  expect(screen.queryByRole('link', { name: /Order History/ })).toBeNull();
});

test('managers see the administration links, everyone sees Country Order List and Change Password', async () => {
  const office = ['Order Processed', 'Manage Team', 'Gateway Setting', 'Audit', 'Access Log'];
  signedInAs(member());
  await openApp('/admin');
  for (const name of [...office, 'Country Order List', 'Change Password']) {
    expect(await screen.findByRole('link', { name })).toBeVisible();
  }
  closeApp();
  signedInAs(member({ manage_team: true, set_gateway: true }));
  await openApp('/admin');
  expect(await screen.findByRole('link', { name: 'Manage Team' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Gateway Setting' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Country Order List' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Change Password' })).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Order Processed' })).toBeNull();
  expect(screen.queryByRole('link', { name: 'Audit' })).toBeNull();
  expect(screen.queryByRole('link', { name: 'Access Log' })).toBeNull();
});

test('every change of route reloads the counts', async () => {
  signedInAs(member());
  const asked: string[] = [];
  server.use(
    listOf('newOrder', []),
    get('/api/admin/get-future-order-counts', () => success({ data: [] })),
    get('/api/admin/get-all-folder-count', ({ request }) => {
      asked.push(new URL(request.url).search);
      return success({ data: { ...counts, newOrdersCount: asked.length } });
    }),
  );
  const user = await openApp('/admin');
  const links = await sidebar();
  await links.findByRole('link', { name: 'New Orders 1' });
  for (const [number, { title, linkLabel = title }] of allFolders.entries()) {
    await user.click(links.getByRole('link', { name: new RegExp(`^${linkLabel} `) }));
    expect(await links.findByRole('link', { name: `New Orders ${number + 2}` })).toBeVisible();
  }
  expect(asked).toEqual(Array(allFolders.length + 1).fill('?userName=Ayu%20Lestari'));
});

test('counts that fail to load can be retried', async () => {
  signedInAs(member());
  server.use(
    get('/api/admin/get-all-folder-count', () => refusal(500, 'Incident 4f2a'), { once: true }),
  );
  const user = await openApp('/admin');
  expect(await screen.findByText('Incident 4f2a')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(
    (
      await screen.findAllByRole('link', { name: `Pending Orders ${counts.pendingOrdersCount}` })
    )[0],
  ).toBeVisible();
  expect(screen.queryByText('Incident 4f2a')).toBeNull();
});

test('counts that fail to refresh stay, with a notice in the sidebar', async () => {
  signedInAs(member());
  server.use(listOf('pendingOrder', []));
  const user = await openApp('/admin');
  const before = `Pending Orders ${counts.pendingOrdersCount}`;
  const fails = get('/api/admin/get-all-folder-count', () => refusal(500, 'Incident 4f2a'));
  await user.click((await screen.findAllByRole('link', { name: before }))[0]!);
  await screen.findByRole('heading', { name: 'Pending Orders' });
  expect((await sidebar()).queryByText(/Couldn’t refresh the counts/)).toBeNull();

  server.use(fails);
  await user.click((await sidebar()).getByRole('link', { name: 'Dashboard' }));
  expect(await (await sidebar()).findByText(/Couldn’t refresh the counts/)).toBeVisible();
  expect((await sidebar()).getByRole('link', { name: before })).toBeVisible();

  signedInAs(member());
  await user.click(screen.getByRole('button', { name: 'Reload counts' }));
  await waitFor(() => expect(screen.queryByText(/Couldn’t refresh the counts/)).toBeNull());
});

test('Logout removes the login, signs out on the server and leads to the sign-in', async () => {
  signedInAs(member());
  const tokens: (string | null)[] = [];
  server.use(
    post('/api/admin/sign-out', ({ request }) => {
      tokens.push(request.headers.get('Authorization'));
      return success({});
    }),
  );
  const { accessToken } = JSON.parse(localStorage.getItem('user') ?? '') as { accessToken: string };
  const user = await openApp('/admin');
  await user.click(await screen.findByRole('button', { name: 'Logout' }));
  expect(await screen.findByLabelText('Email ID')).toBeVisible();
  expect(place()).toBe('/');
  expect(localStorage.getItem('user')).toBeNull();
  await waitFor(() => expect(tokens).toEqual([accessToken]));
});

test('a screen that fails to render shows an error and what to do', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  signedInAs({ ...member(), agency_time_zone: 'Nowhere/Nothing' });
  await openApp('/admin');
  expect(await screen.findByText('Unexpected Application Error!')).toBeVisible();
  expect(screen.getByText(/may have been updated while this page was open/)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Reload' })).toBeVisible();
});

test('a member that cannot be loaded can sign out', async () => {
  signedInAs(member());
  server.use(
    get('/api/user_info', () => refusal(500, 'Incident 4f2a')),
    post('/api/admin/sign-out', () => success({})),
  );
  const user = await openApp('/admin');
  await user.click(await screen.findByRole('button', { name: 'Logout' }));
  expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeVisible();
});

test('a signed-in member that fails to load can be retried', async () => {
  signedInAs(member());
  server.use(get('/api/user_info', () => refusal(500, 'Incident 4f2a'), { once: true }));
  const user = await openApp('/admin');
  expect(await screen.findByText('Incident 4f2a')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('heading', { name: 'Dashboard' })).toBeVisible();
});

test('keys go to folders, and can be switched off', async () => {
  signedInAs(member());
  server.use(listOf('newOrder', []));
  const user = await openApp('/admin');
  await screen.findByRole('heading', { name: 'Dashboard' });
  await user.keyboard('gp');
  expect(await screen.findByRole('heading', { name: 'Priority Orders' })).toBeVisible();
  await user.keyboard('?');
  await user.click(await screen.findByRole('checkbox', { name: 'Use keyboard shortcuts' }));
  await user.click(screen.getByRole('button', { name: 'OK' }));
  await user.keyboard('gn');
  expect(place()).toBe('/admin/priority-order');
});

test('a change of screen moves the focus to the content and announces its heading', async () => {
  signedInAs(member());
  server.use(listOf('newOrder', []));
  const user = await openApp('/admin');
  await screen.findByRole('heading', { name: 'Dashboard' });
  expect(screen.getByRole('main')).not.toHaveFocus();
  await user.click((await (await sidebar()).findAllByRole('link', { name: /^New Orders/ }))[0]!);
  await screen.findByRole('heading', { name: 'New Orders' });
  expect(screen.getByRole('main')).toHaveFocus();
  const announced = document.querySelector('[aria-live="polite"]');
  await waitFor(() => expect(announced).toHaveTextContent('New Orders'));
});

test('the menu of small screens is a dialog that closes by its button, Escape and a link', async () => {
  screenOf(991);
  signedInAs(member());
  server.use(listOf('refundOrder', []));
  const user = await openApp('/admin');
  const openMenu = async () => {
    await user.click(await screen.findByRole('button', { name: 'Open menu' }));
    return within(screen.getByRole('dialog', { name: 'Menu' }));
  };
  await user.click((await openMenu()).getByRole('button', { name: 'Close menu' }));
  expect(screen.queryByRole('dialog')).toBeNull();

  await openMenu();
  fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }));
  expect(screen.queryByRole('dialog')).toBeNull();

  await openMenu();
  await user.click(screen.getByRole('dialog'));
  expect(screen.queryByRole('dialog')).toBeNull();

  await user.click(await (await openMenu()).findByRole('link', { name: /^Refunds/ }));
  expect(await screen.findByRole('heading', { name: 'Refunds' })).toBeVisible();
  expect(screen.queryByRole('dialog')).toBeNull();

  // It leads to the page that is already open.
  await user.click(await (await openMenu()).findByRole('link', { name: /^Refunds/ }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('the sidebar folds by its button and its key, and this browser remembers that', async () => {
  signedInAs(member());
  const user = await openApp('/admin');
  await sidebar();
  const fold = screen.getByRole('button', { name: 'Hide sidebar' });
  await user.click(fold);
  expect(screen.queryByRole('navigation', { name: 'Main' })).toBeNull();
  expect(fold).toHaveAccessibleName('Show sidebar');
  expect(fold).toHaveFocus();
  expect(localStorage.getItem('visadesk.sidebar')).toBe('off');
  await user.keyboard('s');
  expect(await (await sidebar()).findByRole('link', { name: /^Refunds/ })).toBeVisible();
  expect(localStorage.getItem('visadesk.sidebar')).toBe('on');
});

test('the key of the sidebar opens the menu of a small screen, which a wider screen closes', async () => {
  const resize = screenOf(991);
  signedInAs(member());
  const user = await openApp('/admin');
  await (await sidebar()).findByRole('link', { name: /^Refunds/ });
  await user.keyboard('s');
  expect(screen.getByRole('dialog', { name: 'Menu' })).toBeVisible();
  act(() => resize(992));
  expect(screen.queryByRole('dialog')).toBeNull();
  act(() => resize(991));
  expect(screen.queryByRole('dialog')).toBeNull();
});
