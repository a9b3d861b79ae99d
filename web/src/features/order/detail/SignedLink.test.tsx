import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { SignedLink } from './SignedLink';

const renew = async () => 'uploads/new.pdf?e=2&s=2';
const middleClick = () => fireEvent(screen.getByRole('link'), middleButton());
const middleButton = () =>
  new MouseEvent('auxclick', { button: 1, bubbles: true, cancelable: true });

test('a middle click on an expired link opens the renewed one', async () => {
  const open = vi.spyOn(window, 'open').mockReturnValue(null);
  render(
    <SignedLink link="uploads/old.pdf?e=1&s=1" areStale={() => true} renew={renew}>
      Visa
    </SignedLink>,
  );
  expect(middleClick()).toBe(false);
  const url = `${location.origin}/uploads/new.pdf?e=2&s=2`;
  await waitFor(() => expect(open).toHaveBeenCalledWith(url, '_blank', 'noopener,noreferrer'));
});

test('a middle click on a valid link is left to the browser', () => {
  render(
    <SignedLink link="uploads/a.pdf" areStale={() => false} renew={async () => undefined}>
      Visa
    </SignedLink>,
  );
  expect(middleClick()).toBe(true);
});
