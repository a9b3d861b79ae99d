import { delay, HttpResponse } from 'msw';
import { expect, test, vi } from 'vitest';
import { storedLogin } from '@/api/storedLogin';
import { member, post, server, signedInAs } from '@/testing/server';
import { draftOf, keepDraft } from './drafts';
import { signOut, watchSignOut } from './session';

const draft = { remark: 'Called, no ans' };

/** Delivers what this tab writes to localStorage as another tab would see it. */
function seenByAnotherTab(act: () => void): void {
  const before = { ...localStorage };
  act();
  for (const [key, newValue] of Object.entries({ ...localStorage })) {
    if (before[key] !== newValue)
      window.dispatchEvent(new StorageEvent('storage', { key, newValue }));
  }
}

test('signing out removes the drafts of other tabs too', async () => {
  watchSignOut();
  for (let times = 0; times < 2; times += 1) {
    seenByAnotherTab(() => {
      signOut();
      keepDraft('remark', 1, 100234, draft);
    });
    expect(draftOf('remark', 1, 100234)).toBeNull();
    await delay(5);
  }
});

test('drafts stay when another tab changes something else', () => {
  watchSignOut();
  keepDraft('remark', 1, 100234, draft);
  seenByAnotherTab(() => localStorage.setItem('visadesk.shortcuts', 'off'));
  expect(draftOf('remark', 1, 100234)).toEqual(draft);
});

test('signing out works while the server cannot be reached', async () => {
  signedInAs(member());
  const unreachable = vi.fn<() => Response>(() => HttpResponse.error());
  server.use(post('/api/admin/sign-out', unreachable));
  signOut();
  expect(storedLogin()).toBeNull();
  await vi.waitFor(() => expect(unreachable).toHaveBeenCalled());
  // An unhandled rejection would fail the test run.
  await delay(50);
});
