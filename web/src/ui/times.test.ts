import { expect, test } from 'vitest';
import {
  dateAndTime,
  dayIn,
  plainDate,
  timeAgo,
  usDateAndTimeEst,
  usDateAndTimeUtc,
  zoneName,
} from './times';

test("an instant is formatted in the agency's zone", () => {
  expect(dateAndTime('2026-11-20T02:41:07Z', 'Asia/Jakarta')).toBe('20-11-2026 09:41:07');
  expect(dateAndTime('2026-11-20T17:00:00Z', 'Asia/Jakarta')).toBe('21-11-2026 00:00:00');
  expect(zoneName('2026-11-20T02:41:07Z', 'Asia/Jakarta')).toBe('WIB');
});

test('UTC hours have no leading zero, midnight is 0', () => {
  expect(usDateAndTimeUtc('2026-11-20T02:01:07.123456Z')).toBe('11/20/2026 2:01:07');
  expect(usDateAndTimeUtc('2026-11-20T00:00:00Z')).toBe('11/20/2026 0:00:00');
  expect(usDateAndTimeUtc('2026-11-20T13:05:09Z')).toBe('11/20/2026 13:05:09');
});

test('EST is five hours behind UTC in summer as well', () => {
  expect(usDateAndTimeEst('2026-11-20T02:01:07Z')).toBe('11/19/2026 21:01:07');
  expect(usDateAndTimeEst('2026-07-01T12:00:00Z')).toBe('07/01/2026 07:00:00');
});

test('the day is that of the agency', () => {
  expect(dayIn(new Date('2026-11-20T16:59:59Z'), 'Asia/Jakarta')).toBe('2026-11-20');
  expect(dayIn(new Date('2026-11-20T17:00:00Z'), 'Asia/Jakarta')).toBe('2026-11-21');
});

test('a date without a time is formatted day first', () => {
  expect(plainDate('2026-11-20')).toBe('20-11-2026');
});

test('a relative time uses its largest unit', () => {
  const now = new Date('2026-11-20T12:00:00Z');
  expect(timeAgo('2026-11-20T09:50:00Z', now)).toBe('2 hours ago');
  expect(timeAgo('2026-11-19T11:00:00Z', now)).toBe('yesterday');
  expect(timeAgo('2026-11-20T11:59:30Z', now)).toBe('30 seconds ago');
});

test.each([
  [59, '59 seconds ago'],
  [60, '1 minute ago'],
  [3_599, '59 minutes ago'],
  [3_600, '1 hour ago'],
  [86_400, 'yesterday'],
  [2_629_800, 'last month'],
  [31_557_600, 'last year'],
])('%i seconds ago are %s', (seconds, text) => {
  const now = new Date('2026-11-20T12:00:00Z');
  expect(timeAgo(new Date(now.getTime() - seconds * 1000).toISOString(), now)).toBe(text);
});
