import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { Menu } from './Menu';

const open = async () => {
  const chosen = vi.fn<(label: string) => void>();
  const items = ['Help', 'Logout'].map((label) => ({ label, onClick: () => chosen(label) }));
  render(
    <>
      <Menu items={items}>Ayu</Menu>
      <p>Elsewhere</p>
    </>,
  );
  const user = userEvent.setup();
  const button = screen.getByRole('button', { name: 'Ayu' });
  await user.click(button);
  return { user, chosen, button, item: (name: string) => screen.getByRole('menuitem', { name }) };
};

test('arrows, Home and End move in a menu, and wrap', async () => {
  const { user, chosen, button, item } = await open();
  expect(item('Help')).toHaveFocus();
  await user.keyboard('{ArrowUp}');
  expect(item('Logout')).toHaveFocus();
  await user.keyboard('{ArrowDown}');
  expect(item('Help')).toHaveFocus();
  await user.keyboard('{End}');
  expect(item('Logout')).toHaveFocus();
  await user.keyboard('{Home}{Enter}');
  expect(chosen.mock.calls).toEqual([['Help']]);
  expect(screen.queryByRole('menu')).toBeNull();
  expect(button).toHaveFocus();
});

test.each(['{Escape}', '{Tab}'])('%s closes a menu and chooses nothing', async (key) => {
  const { user, chosen } = await open();
  await user.keyboard(key);
  expect(screen.queryByRole('menu')).toBeNull();
  expect(chosen).not.toHaveBeenCalled();
});

test('a click elsewhere closes a menu', async () => {
  const { user, button } = await open();
  expect(button).toHaveAttribute('aria-expanded', 'true');
  await user.click(screen.getByText('Elsewhere'));
  expect(screen.queryByRole('menu')).toBeNull();
  expect(button).toHaveAttribute('aria-expanded', 'false');
});
