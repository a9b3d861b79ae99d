import '@mantine/core/styles/Burger.css';
import '@mantine/core/styles/Menu.css';
import '@mantine/core/styles/Paper.css';
import '@mantine/core/styles/Popover.css';
import { Burger, Menu } from '@mantine/core';
import { Link } from 'react-router';
import type { UserInfo } from '@/api/types';
import { Logo } from '@/ui/Logo';
import { paths } from '@/paths/staffPaths';
import { signOut } from '@/session/session';
import classes from './TopBar.module.css';

interface TopBarProps {
  me: UserInfo | undefined;
  menuOpen: boolean;
  onMenu: () => void;
  onHelp: () => void;
}

export function TopBar({ me, menuOpen, onMenu, onHelp }: TopBarProps) {
  return (
    <div className={classes.bar}>
      <Burger
        className={classes.burger}
        opened={menuOpen}
        onClick={onMenu}
        size="sm"
        aria-label={menuOpen ? 'Close menu' : 'Open menu'}
        aria-expanded={menuOpen}
      />
      <Link to={paths.home} className={classes.brand}>
        <Logo />
        Visadesk
      </Link>
      {me && (
        <div className={classes.who}>
          <Menu
            position="bottom-end"
            width={220}
            zIndex={10_000}
            transitionProps={{ duration: 0 }}
            withInitialFocusPlaceholder={false}
          >
            <Menu.Target>
              <button type="button" className={classes.person}>
                <span className={classes.welcome}>Welcome, {me.name}</span>
                <span className={classes.avatar} aria-hidden="true">
                  {initials(me.name)}
                </span>
              </button>
            </Menu.Target>
            <Menu.Dropdown className={classes.menu}>
              <div className={classes.account}>
                {me.email}
                <br />
                {me.type}
              </div>
              <Menu.Item onClick={onHelp}>Keyboard shortcuts</Menu.Item>
              <Menu.Item onClick={signOut}>Logout</Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </div>
      )}
    </div>
  );
}

/** The first letters of the first and the last name. */
function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return ends.map((word) => [...(word ?? '')][0]?.toUpperCase() ?? '').join('');
}
