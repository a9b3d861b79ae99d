import { act, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { openApp } from '@/testing/openApp';
import { member, signedInAs } from '@/testing/server';

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
