import { expect, test } from 'vitest';
import { chosenFileOf, draftOf, dropDrafts, keepChosenFile, keepDraft } from './drafts';

const begun = { remark: 'Called, no ans', telephone: true };

test('a draft belongs to its form, its author and its order', () => {
  keepDraft('remark', 1, 100234, begun);
  expect(draftOf('remark', 1, 100234)).toEqual(begun);
  expect(draftOf('chargeback', 1, 100234)).toBeNull();
  expect(draftOf('remark', 2, 100234)).toBeNull();
  expect(draftOf('remark', 1, 100235)).toBeNull();
});

test('an empty draft is removed', () => {
  keepDraft('remark', 1, 100234, begun);
  keepDraft('remark', 1, 100234, null);
  expect(sessionStorage).toHaveLength(0);
});

test('signing out removes drafts and nothing else', () => {
  sessionStorage.setItem('visadesk.other', '1');
  keepDraft('remark', 1, 100234, begun);
  keepDraft('transaction', 1, 100235, begun);
  dropDrafts();
  expect(Object.keys(sessionStorage)).toEqual(['visadesk.other']);
});

test('a chosen file belongs to its member and its order until it is sent or the member signs out', () => {
  const visa = new File(['%PDF-1.7'], 'e-visa.pdf');
  keepChosenFile(1, 100234, visa);
  expect(chosenFileOf(1, 100234)).toBe(visa);
  expect(chosenFileOf(2, 100234)).toBeNull();
  expect(chosenFileOf(1, 100235)).toBeNull();
  keepChosenFile(1, 100234, null);
  expect(chosenFileOf(1, 100234)).toBeNull();
  keepChosenFile(1, 100234, visa);
  dropDrafts();
  expect(chosenFileOf(1, 100234)).toBeNull();
});
