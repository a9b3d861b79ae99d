import { act, renderHook } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { useChecking } from './useChecking';
import type { PaperItem } from './usePaperUpload';

const reload = vi.fn<() => void>();

beforeEach(() => {
  vi.useFakeTimers();
  reload.mockClear();
});

const itemThatIs = (state: PaperItem['state']): PaperItem => ({
  kind: 'passport',
  label: 'Passport',
  reason: 'Not received yet.',
  state,
  faults: [],
});
const open = (state: PaperItem['state']) =>
  renderHook((item: PaperItem) => useChecking(item, reload), { initialProps: itemThatIs(state) });
const pass = (milliseconds: number) => act(() => vi.advanceTimersByTime(milliseconds));

test('a check is asked for again after each answer, never before it', () => {
  const { rerender } = open('checking');
  pass(1_499);
  expect(reload).not.toHaveBeenCalled();
  pass(1);
  expect(reload).toHaveBeenCalledTimes(1);
  pass(10_000);
  expect(reload).toHaveBeenCalledTimes(1);
  rerender(itemThatIs('checking'));
  pass(1_500);
  expect(reload).toHaveBeenCalledTimes(2);
});

test('after a minute nobody asks any more, until another file is checked', () => {
  const { result, rerender } = open('checking');
  expect(result.current).toBe(false);
  pass(60_000);
  expect(result.current).toBe(true);
  reload.mockClear();
  rerender(itemThatIs('checking'));
  pass(10_000);
  expect(reload).not.toHaveBeenCalled();
  rerender(itemThatIs('look'));
  expect(result.current).toBe(false);
  rerender(itemThatIs('checking'));
  pass(1_500);
  expect(reload).toHaveBeenCalledTimes(1);
});

test.each(['asked', 'look', 'in'] as const)(
  'nothing is asked for while the paper is “%s”',
  (state) => {
    const { result } = open(state);
    pass(120_000);
    expect(reload).not.toHaveBeenCalled();
    expect(result.current).toBe(false);
  },
);
