import { expect, test } from 'vitest';
import { pageItems } from './pageItems';

test.each([
  [1, 1, '1'],
  [1, 5, '1 2 3 4 5'],
  [1, 7, '1 2 3 4 5 6 7'],
  [1, 19, '1 2 3 4 5 … 19'],
  [4, 19, '1 2 3 4 5 … 19'],
  [5, 19, '1 … 4 5 6 … 19'],
  [16, 19, '1 … 15 16 17 18 19'],
  [19, 19, '1 … 15 16 17 18 19'],
])('page %i of %i offers %s', (page, pages, offered) => {
  expect(pageItems(page, pages).join(' ')).toBe(offered);
});

test('an ellipsis always hides at least two pages, and the row keeps its length', () => {
  for (let page = 1; page <= 30; page++) expect(pageItems(page, 30)).toHaveLength(7);
});
