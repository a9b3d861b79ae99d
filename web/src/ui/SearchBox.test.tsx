import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { SearchBox } from './SearchBox';

afterEach(() => vi.useRealTimers());

function type(value: string) {
  fireEvent.change(screen.getByRole('searchbox'), { target: { value } });
}

test('a search waits 500 milliseconds after the last letter', () => {
  vi.useFakeTimers();
  const search = vi.fn<(text: string) => void>();
  render(<SearchBox label="Search this folder" value="" onSearch={search} />);
  type('em');
  act(() => void vi.advanceTimersByTime(499));
  type('emi');
  act(() => void vi.advanceTimersByTime(499));
  expect(search).not.toHaveBeenCalled();
  act(() => void vi.advanceTimersByTime(1));
  expect(search.mock.calls).toEqual([['emi']]);
});
