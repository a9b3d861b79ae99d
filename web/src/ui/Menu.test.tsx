import { fireEvent, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { Menu, MenuButton } from './Menu';
import { Popover } from './Popover';

const menu = () => screen.queryByRole('menu');
const item = (name: string) => screen.getByRole('menuitem', { name });

const openMenu = async (labels = ['Help', 'Logout']) => {
  const chosen = vi.fn<(label: string) => void>();
  const items = labels.map((label) => ({
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

test('a click on its button closes a menu', async () => {
  const { user, button } = await openMenu();
  await user.click(button);
  expect(menu()).toBeNull();
});

test('scrolling moves a menu with its button, and does not close it', async () => {
  const { button } = await openMenu();
  button.getBoundingClientRect = () => new DOMRect(300, 40, 80, 30);
  fireEvent.scroll(document);
  expect(menu()).toBeVisible();
  expect(menu()!.parentElement).toHaveStyle({ left: '380px', top: '74px' });
});

test('a menu whose button is gone closes', async () => {
  const anchor = document.createElement('button');
  const closed = vi.fn<() => void>();
  render(<Menu label="Order" anchor={anchor} items={[]} onClose={closed} />);
  fireEvent.scroll(document);
  expect(closed).toHaveBeenCalledOnce();
});

test('a letter moves to the next item that begins with it', async () => {
  const { user, chosen } = await openMenu(['Help', 'Logout', 'Lists', 'Sounds']);
  await user.keyboard('l');
  expect(item('Logout')).toHaveFocus();
  await user.keyboard('L');
  expect(item('Lists')).toHaveFocus();
  await user.keyboard('l');
  expect(item('Logout')).toHaveFocus();
  await user.keyboard('x');
  expect(item('Logout')).toHaveFocus();
  expect(chosen).not.toHaveBeenCalled();
});

test('Tab moves through a group of controls, and closes it when it leaves', async () => {
  const closed = vi.fn<() => void>();
  const anchor = document.createElement('button');
  document.body.append(anchor);
  render(
    <>
      <Popover label="Columns" role="group" anchor={anchor} onClose={closed}>
        <input aria-label="Email" />
        <input aria-label="Name" />
      </Popover>
      <button type="button">CSV</button>
    </>,
  );
  const user = userEvent.setup();
  await user.tab();
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveFocus();
  expect(closed).not.toHaveBeenCalled();
  await user.tab();
  expect(screen.getByRole('button', { name: 'CSV' })).toHaveFocus();
  expect(closed).toHaveBeenCalled();
  anchor.remove();
});
