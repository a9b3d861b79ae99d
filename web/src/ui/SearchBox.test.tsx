import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SearchBox } from './SearchBox';

const search = vi.fn<(text: string) => void>();
const enter = vi.fn<() => void>();

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
  search.mockReset();
  enter.mockReset();
});

const box = () => screen.getByRole('searchbox');
const wait = (ms: number) => act(() => void vi.advanceTimersByTime(ms));

function type(value: string) {
  fireEvent.change(box(), { target: { value } });
}

const boxOf = (value: string) => (
  <SearchBox label="Search this folder" value={value} onSearch={search} onEnter={enter} />
);

test('a search waits 500 milliseconds after the last letter', () => {
  render(boxOf(''));
  type('em');
  wait(499);
  type('emi');
  wait(499);
  expect(search).not.toHaveBeenCalled();
  wait(1);
  expect(search.mock.calls).toEqual([['emi']]);
});

test('the result of an earlier search does not overwrite newer letters', () => {
  const { rerender } = render(boxOf(''));
  type('em');
  wait(500);
  type('emi');
  rerender(boxOf('em'));
  expect(box()).toHaveValue('emi');
  wait(500);
  expect(search.mock.calls).toEqual([['em'], ['emi']]);
});

test('a value from elsewhere replaces what was typed, and nothing is searched', () => {
  const { rerender } = render(boxOf('a'));
  type('ab');
  rerender(boxOf('x'));
  expect(box()).toHaveValue('x');
  wait(500);
  expect(search).not.toHaveBeenCalled();
});

test('Enter searches at once, and leads on when the value is what was typed', () => {
  const { rerender } = render(boxOf(''));
  type('emi');
  fireEvent.keyDown(box(), { key: 'Enter' });
  expect(search.mock.calls).toEqual([['emi']]);
  expect(enter).not.toHaveBeenCalled();
  rerender(boxOf('emi'));
  expect(enter).toHaveBeenCalledOnce();
  fireEvent.keyDown(box(), { key: 'ArrowDown' });
  expect(enter).toHaveBeenCalledTimes(2);
  wait(500);
  expect(search).toHaveBeenCalledOnce();
});

test('keys that compose a letter do nothing', () => {
  render(boxOf(''));
  type('え');
  fireEvent.keyDown(box(), { key: 'Enter', isComposing: true });
  expect(search).not.toHaveBeenCalled();
});

test('Escape leaves the field, and the browser does not empty it', () => {
  render(boxOf('emi'));
  box().focus();
  const isUnused = fireEvent.keyDown(box(), { key: 'Escape' });
  expect(isUnused).toBe(false);
  expect(box()).not.toHaveFocus();
});
