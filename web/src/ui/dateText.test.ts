import { expect, test } from 'vitest';
import { dateText, dayOf, isDayOrEmpty, shifted, withDashes } from './dateText';

test.each([
  ['31-12-2026', '2026-12-31'],
  ['1.2.2026', '2026-02-01'],
  ['31/12/2026', '2026-12-31'],
  ['31122026', '2026-12-31'],
  [' 2026-12-31 ', '2026-12-31'],
  ['29-02-2028', '2028-02-29'],
  ['31-02-2026', null],
  ['2026-02-30', null],
  ['00-12-2026', null],
  ['12-13-2026', null],
  ['31-12-26', null],
  ['', null],
])('the text %j is the day %j', (text, day) => {
  expect(dayOf(text)).toBe(day);
});

test.each([
  ['3', '3'],
  ['31', '31-'],
  ['31-1', '31-1'],
  ['311', '31-1'],
  ['31-', '31-'],
  ['31--', '31-'],
  ['31-12', '31-12-'],
  ['31-12--', '31-12-'],
  ['3112', '31-12-'],
  ['31122026', '31-12-2026'],
  ['31-12-2026', '31-12-2026'],
  ['311220267', '311220267'],
  ['1.2.2026', '1.2.2026'],
  ['soon', 'soon'],
])('%j gets its dashes: %j', (typed, shown) => {
  expect(withDashes(typed)).toBe(shown);
});

test('a day is shown with the day first, and any other text as it is', () => {
  expect(dateText('2026-12-31')).toBe('31-12-2026');
  expect(dateText('31-1')).toBe('31-1');
});

test('days are counted across months and years', () => {
  expect(shifted('2026-12-31', 1)).toBe('2027-01-01');
  expect(shifted('2028-03-01', -1)).toBe('2028-02-29');
});

test('a date field takes a day or nothing', () => {
  expect(['', '31-12-2026', 'soon', '31-02-2026'].map(isDayOrEmpty)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
