import { act, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { openApp } from '@/testing/openApp';
import { backups, get, member, server, signedInAs, success } from '@/testing/server';

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

test('without a backup the dashboard says how to get one', async () => {
  const state = { place: null, every_hours: null, last_finished_at: null, attempts: [] };
  const status = await backupStatus({ ...state, is_overdue: true });
  expect(status).toHaveTextContent('There is no backup yet.');
  expect(status).toHaveTextContent('Set backups.place in the configuration');
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
