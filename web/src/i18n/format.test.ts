import { expect, test } from 'vitest';
import { languages } from './languages';
import { textsIn } from './texts';
import { formatDuration } from './format';
import { counted, formatInstant } from './formatRecord';

const AT = '2026-11-20T02:41:07Z';

test('an instant names its zone', () => {
  expect(formatInstant(AT, 'en')).toMatch(/^November (19|20), 2026 at \d\d:41 [A-Z]/);
  expect(formatInstant(AT, 'de')).toMatch(/^(19|20)\. November 2026/);
});

test('an instant in Arabic has no right-to-left letters', () => {
  expect(formatInstant(AT, 'ar')).toMatch(/^\d\d\/11\/2026, \d\d:41 [A-Z]/);
});

test.each(languages)('%s writes its instants and durations with Latin digits', (language) => {
  expect(formatInstant(AT, language)).toContain('2026');
  expect(formatDuration(300, language)).toContain('5');
});

test('a duration is rounded up', () => {
  expect(formatDuration(59, 'en')).toBe('59 seconds');
  expect(formatDuration(60, 'en')).toBe('1 minute');
  expect(formatDuration(61, 'en')).toBe('2 minutes');
  expect(formatDuration(840, 'ru')).toBe('14 минут');
});

test('a count takes the form of its language', async () => {
  const { downloads: russian } = await textsIn('ru');
  expect([1, 3, 5, 21].map((count) => counted(russian, count, 'ru'))).toEqual([
    '1 скачивание',
    '3 скачивания',
    '5 скачиваний',
    '21 скачивание',
  ]);
  const { downloads: arabic } = await textsIn('ar');
  expect([1, 2, 3, 11].map((count) => counted(arabic, count, 'ar'))).toEqual([
    'تنزيل واحد',
    'تنزيلان',
    '3 تنزيلات',
    '11 تنزيلًا',
  ]);
});
