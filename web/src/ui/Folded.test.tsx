import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { Folded } from './Folded';

const parts = (folds = true) => (
  <>
    <Folded title="Email History" note="12" gist="Failed" folds={folds}>
      Twelve emails
    </Folded>
    <Folded title="Evidence" as="h3" note="14 of 21 pieces missing">
      The evidence
    </Folded>
  </>
);

test('a folded part says what it has, and a click opens and closes it', async () => {
  const user = userEvent.setup();
  render(parts());
  expect(screen.getByText('12')).toBeVisible();
  expect(screen.getByText('Twelve emails')).not.toBeVisible();
  expect(screen.getByText('Failed')).toBeVisible();
  const heading = screen.getByRole('heading', { level: 2, name: 'Email History' });
  const button = screen.getByRole('button', { name: 'Email History' });
  expect(heading).toContainElement(button);
  expect(button).toHaveAttribute('aria-expanded', 'false');
  await user.click(button);
  expect(screen.getByText('Twelve emails')).toBeVisible();
  expect(screen.queryByText('Failed')).not.toBeInTheDocument();
  expect(button).toHaveAttribute('aria-expanded', 'true');
  expect(screen.getByText('The evidence')).not.toBeVisible();
  await user.click(button);
  expect(screen.getByText('Twelve emails')).not.toBeVisible();
});

test('an open part is open wherever it is shown again, and this browser remembers it', async () => {
  const user = userEvent.setup();
  const { unmount } = render(parts());
  await user.click(screen.getByRole('button', { name: 'Evidence' }));
  await user.click(screen.getByRole('button', { name: 'Email History' }));
  await user.click(screen.getByRole('button', { name: 'Evidence' }));
  unmount();
  render(parts());
  expect(screen.getByText('Twelve emails')).toBeVisible();
  expect(localStorage.getItem('visadesk.unfolded')).toBe('Email History');
});

test('where there is room a part is open, without a button', () => {
  render(parts(false));
  expect(screen.getByText('Twelve emails')).toBeVisible();
  expect(screen.getByRole('heading', { name: 'Email History' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Email History' })).toBeNull();
});
