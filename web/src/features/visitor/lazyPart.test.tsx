import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Suspense } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LocaleContext, textsIn } from '@/i18n/texts';
import { lazyPart } from './lazyPart';

// Without a connection nothing is reloaded.
beforeEach(() => void vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false));
// React reports what a boundary has caught.
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}));
afterEach(() => vi.restoreAllMocks());

test('a part that cannot be loaded leaves the rest, and can be tried again', async () => {
  let isConnected = false;
  const Part = lazyPart('part', () =>
    isConnected ? Promise.resolve(() => <p>The history</p>) : Promise.reject(new Error('Network')),
  );
  const texts = await textsIn('en');
  render(
    <LocaleContext value={{ language: 'en', texts }}>
      <Suspense>
        <button type="button">Download Now</button>
        <Part />
      </Suspense>
    </LocaleContext>,
  );
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'Something went wrong. Please try again.',
  );
  expect(screen.getByRole('button', { name: 'Download Now' })).toBeVisible();
  isConnected = true;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('The history')).toBeVisible();
  expect(screen.queryByRole('alert')).toBeNull();
});
