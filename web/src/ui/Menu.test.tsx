import { fireEvent, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { MenuButton } from './Menu';

const menu = () => screen.queryByRole('menu');
const item = (name: string) => screen.getByRole('menuitem', { name });

const openMenu = async () => {
  const chosen = vi.fn<(label: string) => void>();
  const items = ['Help', 'Logout'].map((label) => ({
    key: label,
    label,
    onClick: () => chosen(label),
  }));
  render(
    <MenuButton label="Account" items={items}>
      Ayu
    </MenuButton>,
  );
  const user = userEvent.setup();
  const button = screen.getByRole('button', { name: 'Ayu' });
  await user.click(button);
  return { user, chosen, button };
};

test('arrows, Home and End move in a menu, and wrap', async () => {
  const { user, chosen, button } = await openMenu();
  expect(item('Help')).toHaveFocus();
  await user.keyboard('{ArrowUp}');
  expect(item('Logout')).toHaveFocus();
  await user.keyboard('{ArrowDown}');
  expect(item('Help')).toHaveFocus();
  await user.keyboard('{End}');
  expect(item('Logout')).toHaveFocus();
  await user.keyboard('{Home}{Enter}');
  expect(chosen.mock.calls).toEqual([['Help']]);
  expect(menu()).toBeNull();
  expect(button).toHaveFocus();
});

test.each(['{Escape}', '{Tab}'])('%s closes a menu and chooses nothing', async (key) => {
  const { user, chosen, button } = await openMenu();
  expect(button).toHaveAttribute('aria-expanded', 'true');
  await user.keyboard(key);
  expect(menu()).toBeNull();
  expect(button).toHaveAttribute('aria-expanded', 'false');
  expect(chosen).not.toHaveBeenCalled();
});

test('scrolling the page closes a menu', async () => {
  const { chosen } = await openMenu();
  fireEvent.scroll(document);
  expect(menu()).toBeNull();
  expect(chosen).not.toHaveBeenCalled();
});
