import { expect, test } from 'vitest';
import { deadlineText, deadlineTone } from './deadline';

test.each([
  [-3, 'Overdue', 'Overdue by 3 days', 'danger'],
  [-1, 'Overdue', 'Overdue by 1 day', 'danger'],
  [0, 'Due today', 'Due today', 'danger'],
  [1, 'Urgent', '1 day left · Urgent', 'danger'],
  [4, 'Soon', '4 days left · Soon', 'warn'],
  [7, 'In time', '7 days left · In time', 'done'],
  [null, 'Won', 'Won', 'done'],
  [null, 'Lost', 'Lost', 'neutral'],
  [null, 'Withdrawn', 'Withdrawn', 'neutral'],
] as const)('%s days left and %s read: %s', (days_left, urgency, text, tone) => {
  expect(deadlineText({ days_left, urgency })).toBe(text);
  expect(deadlineTone({ urgency })).toBe(tone);
});
