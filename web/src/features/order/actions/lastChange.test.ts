import { expect, test } from 'vitest';
import { undoOf } from '@/testing/server';
import { rememberChange, useLastChange } from './lastChange';

const last = () => useLastChange.getState().last?.events;
const result = (eventId: number) => ({ message: 'Moved', ...undoOf(eventId) });

test('a change that cannot be undone forgets the older one', () => {
  rememberChange([result(1)], 'Moved');
  expect(rememberChange([{ message: 'Refunded', undo: null }], 'Refunded')).toBeNull();
  expect(last()).toBeUndefined();
});

test('a change that was refused as a whole forgets nothing', () => {
  rememberChange([result(1)], 'Moved');
  expect(rememberChange([], '')).toBeNull();
  expect(last()).toEqual([1]);
});
