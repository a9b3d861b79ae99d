import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { Pagination } from './Pagination';

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
