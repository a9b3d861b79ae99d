import { expect, test } from 'vitest';
import { draftOf, dropDrafts, keepDraft, NO_REMARK } from './remarkDrafts';

const begun = { ...NO_REMARK, remark: 'Called, no ans', telephone: true };

test('a draft is kept for its writer and its order', () => {
  keepDraft(1, 100234, begun);
  expect(draftOf(1, 100234)).toEqual(begun);
  expect(draftOf(2, 100234)).toEqual(NO_REMARK);
  expect(draftOf(1, 100235)).toEqual(NO_REMARK);
});

test('an empty draft leaves nothing behind', () => {
  keepDraft(1, 100234, begun);
  keepDraft(1, 100234, NO_REMARK);
  expect(sessionStorage).toHaveLength(0);
});

test('whoever signs out leaves no draft, and nothing else is touched', () => {
  sessionStorage.setItem('visadesk.other', '1');
  keepDraft(1, 100234, begun);
  keepDraft(1, 100235, begun);
  dropDrafts();
  expect(Object.keys(sessionStorage)).toEqual(['visadesk.other']);
});
