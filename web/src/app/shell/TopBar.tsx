import { Link } from 'react-router';
import type { UserInfo } from '@/api/types';
import { InboxButton } from '@/features/inbox/InboxButton';
import { paths } from '@/paths/staffPaths';
import { useLive } from '@/session/live';
import { signOut } from '@/session/session';
import { Avatar } from '@/ui/Avatar';
import { Icon } from '@/ui/Icon';
import { IconButton } from '@/ui/IconButton';
import { Logo } from '@/ui/Logo';
import { MenuButton } from '@/ui/Menu';
import { MOD_KEY } from '@/ui/keys';
import { useDelayed } from '@/ui/useDelayed';
import classes from './TopBar.module.css';

/** A connection that is back within this time was hardly away. */
const RECONNECTING_AFTER_MS = 3_000;

interface TopBarProps {
  me: UserInfo | undefined;
  /** The label of the button of the sidebar. */
  menu: string;
  menuOpen: boolean;
  onMenu: () => void;
  onFind: () => void;
  onHelp: () => void;
}

export function TopBar({ me, menu, menuOpen, onMenu, onFind, onHelp }: TopBarProps) {
  return (
    <div className={classes.bar}>
      <IconButton
        kind="bare"
        label={menu}
        aria-expanded={menuOpen}
        aria-keyshortcuts="s"
        onClick={onMenu}
      >
        <path d="M2 4h12M2 8h12M2 12h12" />
      </IconButton>
      <Brand />
      {me && <FindButton onFind={onFind} />}
      {me && <Connection />}
      {me && (
        <div className={classes.who}>
          <InboxButton />
          <MenuButton
            label="Account"
            head={
              <p className={classes.account}>
                {me.email}
                <br />
                {me.type}
              </p>
            }
            items={[
              { key: 'help', label: 'Keyboard shortcuts', onClick: onHelp },
              { key: 'logout', label: 'Logout', onClick: signOut },
            ]}
          >
            <span className={classes.welcome}>Welcome, {me.name}</span>
            <Avatar name={me.name} />
          </MenuButton>
        </div>
      )}
    </div>
  );
}

/** Says when what is shown may be out of date. */
function Connection() {
  const isBroken = useLive(({ connection }) => connection === 'reconnecting');
  const isShown = useDelayed(isBroken, RECONNECTING_AFTER_MS);
  return (
    <p role="status" className={classes.connection}>
      {isShown && 'Reconnecting…'}
    </p>
  );
}

/** Opens the command palette. It looks like a search field where there is room. */
function FindButton({ onFind }: { onFind: () => void }) {
  return (
    <button
      type="button"
      className={classes.find}
      aria-haspopup="dialog"
      aria-keyshortcuts={MOD_KEY === '⌘' ? 'Meta+K' : 'Control+K'}
      onClick={onFind}
    >
      <Icon>
        <circle cx="7" cy="7" r="4.5" />
        <path d="M10.5 10.5l3 3" />
      </Icon>
      <span className={classes.hint}>Find an order, folder or action</span>
      <kbd aria-hidden="true">{MOD_KEY} K</kbd>
    </button>
  );
}

/** The product's name, which leads home. */
export function Brand() {
  return (
    <Link to={paths.home} className={classes.brand}>
      <Logo />
      <span className={classes.product}>Visadesk</span>
    </Link>
  );
}
