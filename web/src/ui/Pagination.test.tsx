import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { pageItems, Pagination } from './Pagination';

test('previous and next turn one page, between the first and the last', async () => {
  const turned = vi.fn<(page: number) => void>();
  const user = userEvent.setup();
  const { rerender } = render(<Pagination page={5} pages={19} onPage={turned} />);
  await user.click(screen.getByRole('button', { name: 'Previous page' }));
  await user.click(screen.getByRole('button', { name: 'Next page' }));
  await user.click(screen.getByRole('button', { name: 'Page 19' }));
  expect(turned.mock.calls).toEqual([[4], [6], [19]]);
  const numbers = screen.getAllByRole('button', { name: /^Page / });
  expect(numbers.map(({ textContent }) => textContent)).toEqual(['1', '4', '5', '6', '19']);
  expect(screen.getAllByText('…')).toHaveLength(2);
  rerender(<Pagination page={1} pages={19} onPage={turned} />);
  expect(screen.getByRole('button', { name: 'Previous page' })).toBeDisabled();
  rerender(<Pagination page={19} pages={19} onPage={turned} />);
  expect(screen.getByRole('button', { name: 'Next page' })).toBeDisabled();
});

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
