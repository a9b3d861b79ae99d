import { expect, test } from 'vitest';
import { durationText } from './DaysChart';

test('a duration has two units at most', () => {
  expect([0, 59, 60, 560, 2879, 2880, 4560].map(durationText)).toEqual([
    '0 min',
    '59 min',
    '1 h 00 min',
    '9 h 20 min',
    '47 h 59 min',
    '2 days 0 h',
    '3 days 4 h',
  ]);
});
