import { act, screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { RowBudgetReached } from '@/api/types';
import { openApp } from '@/testing/openApp';
import { backups, get, home, member, server, signedInAs, success } from '@/testing/server';

afterEach(() => {
  vi.useRealTimers();
});

test('a dashboard that is left open over midnight shows the agency’s new day', async () => {
  vi.useFakeTimers({
    toFake: ['Date', 'setInterval', 'clearInterval'],
    now: new Date('2026-11-20T16:59:50Z'),
  });
  signedInAs(member());
  await openApp('/admin');
  expect(await screen.findByText('Friday, 20-11-2026')).toBeVisible();
  act(() => vi.advanceTimersByTime(60_000));
  expect(screen.getByText('Saturday, 21-11-2026')).toBeVisible();
});

/** Opens the dashboard over backups in this state, and returns what it says about them. */
async function backupStatus(state: Parameters<typeof backups>[0]): Promise<HTMLElement> {
  signedInAs(member());
  server.use(get('/api/admin/backups', () => success({ data: backups(state) })));
  await openApp('/admin');
  return screen.findByRole('region', { name: 'Backups' });
}

test('an Admin sees when the last backup was made', async () => {
  expect(await backupStatus({})).toHaveTextContent(/^Last backup: .*, 20-11-2026 09:41:07 WIB$/);
});

test('that no backup is set up is said once: by the list of first steps, or without it by the notice', async () => {
  const state = { place: null, every_hours: null, last_finished_at: null, attempts: [] };
  const data = home({ first_run: ['schedule_backups'] });
  signedInAs(member());
  server.use(
    get('/api/admin/backups', () => success({ data: backups({ ...state, is_overdue: true }) })),
    get('/api/admin/home', () => success({ data })),
  );
  const user = await openApp('/admin');
  const first = within(await screen.findByRole('region', { name: 'Before you begin' }));
  expect(first.getByText('Schedule backups')).toBeVisible();
  expect(screen.queryByRole('region', { name: 'Backups' })).toBeNull();
  await user.click(first.getByRole('button', { name: 'Hide' }));
  const status = screen.getByRole('region', { name: 'Backups' });
  expect(status).toHaveTextContent('There is no backup yet.');
  expect(status).toHaveTextContent('No backup is set up. Ask the person who runs the server.');
});

test('an overdue backup is a warning', async () => {
  expect(await backupStatus({ is_overdue: true })).toHaveTextContent(
    'A backup to /mnt/backups is due every 24 hours.',
  );
});

test('a failed attempt is shown with its reason', async () => {
  const [made] = backups().attempts;
  const failed = { ...made!, state: 'failed', name: null, failure: 'the disk is full' };
  expect(await backupStatus({ attempts: [failed, made!] })).toHaveTextContent(
    'The last attempt failed: the disk is full',
  );
});

test('other members see nothing of the backups', async () => {
  signedInAs(member({}));
  await openApp('/admin');
  await screen.findByRole('heading', { name: 'Dashboard' });
  expect(screen.queryByText(/backup/i)).toBeNull();
});

test('a backup that lacks files is a warning', async () => {
  const [made] = backups().attempts;
  const incomplete = { ...made!, failure: '119 files are in the backup, 1 are not' };
  expect(await backupStatus({ attempts: [incomplete] })).toHaveTextContent(
    'The last backup is incomplete: 119 files are in the backup, 1 are not',
  );
});

/** Opens the dashboard while these members have reached their row budget. */
async function openWithBudgets(reached: RowBudgetReached[]) {
  signedInAs(member());
  server.use(get('/api/admin/row-budgets', () => success({ data: reached })));
  await openApp('/admin');
  await screen.findByText(/^Last backup/);
}

const reached: RowBudgetReached = {
  person: 'Budi Santoso',
  hour: '2026-11-20T02:00:00Z',
  rows: 50_000,
  rows_per_hour: 20_000,
  is_stopped: false,
};

test('an Admin is warned of a member who reached the row budget', async () => {
  await openWithBudgets([reached]);
  const warning = await screen.findByRole('region', { name: 'Row budgets' });
  expect(warning).toHaveTextContent(
    'Budi Santoso has seen 50,000 rows about customers in the hour from 20-11-2026 09:00:00 WIB, with a budget of 20,000.',
  );
  expect(screen.getByRole('link', { name: 'access log' })).toHaveAttribute(
    'href',
    '/admin/access-log',
  );
});

test('a stopped member is named as such, and a long list is cut short', async () => {
  const hours = [3, 4, 5, 6, 7, 8].map((hour) => `2026-11-20T0${hour}:00:00Z`);
  const earlier = hours.map((hour) => Object.assign(structuredClone(reached), { hour }));
  await openWithBudgets([{ ...reached, is_stopped: true }, ...earlier]);
  const warning = await screen.findByRole('region', { name: 'Row budgets' });
  expect(warning).toHaveTextContent(/, and is stopped until the hour is over/);
  expect(warning).toHaveTextContent('And 2 more in the last day.');
});

test('without a reached budget there is no warning', async () => {
  await openWithBudgets([]);
  expect(screen.queryByRole('region', { name: 'Row budgets' })).toBeNull();
});
