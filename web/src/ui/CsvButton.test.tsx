import { act, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { CsvButton } from './CsvButton';

test('a file that is loading can be cancelled by the same button, which keeps the focus', async () => {
  const failed = vi.fn<(error: unknown) => void>();
  const signals: AbortSignal[] = [];
  const load = (signal: AbortSignal) =>
    new Promise<never>((_, reject) => {
      signals.push(signal);
      signal.addEventListener('abort', () => reject(new DOMException('', 'AbortError')));
    });
  render(<CsvButton load={load} onFailure={failed} />);
  const user = userEvent.setup();
  const button = screen.getByRole('button', { name: 'Download as CSV' });
  await user.click(button);
  expect(button).toHaveFocus();
  expect(button).toHaveTextContent('Loading… Cancel');
  expect(screen.getByRole('status')).toHaveTextContent('The file is loading');
  await user.keyboard('{Enter}');
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  await act(async () => {});
  expect(button).toHaveAccessibleName('Download as CSV');
  expect(button).toHaveFocus();
  expect(failed).not.toHaveBeenCalled();
});

test('a file that cannot be loaded says why', async () => {
  const failed = vi.fn<(error: unknown) => void>();
  const refused = new Error('No room');
  render(<CsvButton load={() => Promise.reject(refused)} onFailure={failed} />);
  await userEvent.setup().click(screen.getByRole('button'));
  expect(failed.mock.calls).toEqual([[refused]]);
});
