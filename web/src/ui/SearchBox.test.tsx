import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SearchBox } from './SearchBox';

const search = vi.fn<(text: string) => void>();

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
  search.mockReset();
});

const box = () => screen.getByRole('searchbox');
const wait = (ms: number) => act(() => void vi.advanceTimersByTime(ms));

function type(value: string) {
  fireEvent.change(box(), { target: { value } });
}

const boxOf = (value: string, isReady = true) => (
  <section>
    <SearchBox label="Search this folder" value={value} onSearch={search} isReady={isReady} />
    <table>
      <tbody>
        <tr data-index="0" tabIndex={-1} />
      </tbody>
    </table>
  </section>
);
const firstRow = () => screen.getByRole('row');

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

test('Enter searches at once, and goes to the first row when the rows are those of the text', () => {
  const { rerender } = render(boxOf(''));
  type('emi');
  fireEvent.keyDown(box(), { key: 'Enter' });
  expect(search.mock.calls).toEqual([['emi']]);
  rerender(boxOf('emi', false));
  expect(firstRow()).not.toHaveFocus();
  rerender(boxOf('emi'));
  expect(firstRow()).toHaveFocus();
  box().focus();
  fireEvent.keyDown(box(), { key: 'ArrowDown' });
  expect(firstRow()).toHaveFocus();
  wait(500);
  expect(search).toHaveBeenCalledOnce();
});

test('typing on after Enter stays in the field', () => {
  const { rerender } = render(boxOf(''));
  type('em');
  fireEvent.keyDown(box(), { key: 'Enter' });
  type('emi');
  rerender(boxOf('em'));
  expect(firstRow()).not.toHaveFocus();
  expect(box()).toHaveValue('emi');
});

test('a text that is typed back while the search for another one is on its way is searched again', () => {
  const { rerender } = render(boxOf('a'));
  type('ab');
  wait(500);
  type('a');
  rerender(boxOf('ab'));
  expect(box()).toHaveValue('a');
  wait(500);
  expect(search.mock.calls).toEqual([['ab'], ['a']]);
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
