import { useState, type ReactNode } from 'react';
import { Link } from 'react-router';
import classes from './Menu.module.css';
import { Popover } from './Popover';

/** It runs something, opens a screen of the app, or leaves it for an address such as `tel:`. */
export interface MenuItem {
  /** Unique in the menu. */
  key: string;
  label: ReactNode;
  isDanger?: boolean;
  onClick?: () => void;
  to?: string;
  /** The navigation state of `to`. */
  state?: object;
  href?: string;
}

interface MenuProps {
  /** Its accessible name. */
  label: string;
  /** The button that opened it. */
  anchor: HTMLElement;
  /** Shown above the items. */
  head?: ReactNode;
  items: readonly MenuItem[];
  onClose: () => void;
}

export function Menu({ items, ...popover }: MenuProps) {
  const choose = (item: MenuItem) => {
    // A dialog that the item opens gives the focus back to the button.
    popover.anchor.focus();
    popover.onClose();
    item.onClick?.();
  };
  return (
    <Popover role="menu" {...popover}>
      {items.map((item) => (
        <Item key={item.key} item={item} onChoose={() => choose(item)} />
      ))}
    </Popover>
  );
}

function Item({ item, onChoose }: { item: MenuItem; onChoose: () => void }) {
  const { label, isDanger, to, state, href } = item;
  const look = {
    role: 'menuitem',
    tabIndex: -1,
    className: classes.item,
    'data-danger': isDanger || undefined,
    onClick: onChoose,
  };
  if (to !== undefined) {
    return (
      <Link {...look} to={to} state={state}>
        {label}
      </Link>
    );
  }
  if (href !== undefined) {
    return (
      <a {...look} href={href}>
        {label}
      </a>
    );
  }
  return (
    <button {...look} type="button">
      {label}
    </button>
  );
}

interface MenuButtonProps extends Pick<MenuProps, 'label' | 'head' | 'items'> {
  children: ReactNode;
}

export function MenuButton({ children, ...menu }: MenuButtonProps) {
  const [anchor, setAnchor] = useState<HTMLElement>();
  return (
    <>
      <button
        type="button"
        className={classes.button}
        aria-haspopup="menu"
        aria-expanded={anchor !== undefined}
        onClick={({ currentTarget }) => setAnchor(anchor ? undefined : currentTarget)}
      >
        {children}
      </button>
      {anchor && <Menu {...menu} anchor={anchor} onClose={() => setAnchor(undefined)} />}
    </>
  );
}
