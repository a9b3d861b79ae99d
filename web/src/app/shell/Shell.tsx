import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect, useRef, useState } from 'react';
import { Outlet, ScrollRestoration, useLocation, useNavigate } from 'react-router';
import { ConfirmIdentity } from '@/features/auth/ConfirmIdentity';
import { meQuery } from '@/session/me';
import { TAKE_KEY, UNDO_KEY } from '@/features/order/actions/orderActions';
import { useTakeNext } from '@/features/order/actions/useTakeNext';
import { useUndo } from '@/features/order/actions/useUndo';
import { allFolders, isSeen } from '@/features/order/folders';
import { takeChanges } from '@/features/order/liveOrders';
import { folderCountsQuery } from '@/features/order/orderQueries';
import { startLive, useLive } from '@/session/live';
import { signOut } from '@/session/session';
import { Button } from '@/ui/Button';
import { Drawer } from '@/ui/Drawer';
import { lazyComponent } from '@/ui/loadChunk';
import { TryAgain } from '@/ui/TryAgain';
import { useSidebarSwitch } from '@/ui/storedSwitch';
import { useHotkeys } from '@/ui/useHotkeys';
import { useMedia } from '@/ui/useMedia';
import { scrollKeyOf } from '@/paths/origin';
import { paths } from '@/paths/staffPaths';
import { AgencyZone } from '@/ui/zone';
import classes from './Shell.module.css';
import { Palette } from '../palette/Palette';
import { RouteFocus } from './RouteFocus';
import { Sidebar } from './Sidebar';
import { Brand, TopBar } from './TopBar';

const ShortcutsDialog = lazyComponent('ShortcutsDialog', () => import('./ShortcutsDialog'));

/** The frame of every staff screen. It renders the page once the signed-in member is loaded. */
export function Shell() {
  const { pathname, key } = useLocation();
  const navigate = useNavigate();
  const me = useQuery(meQuery);
  const folders = me.data ? allFolders.filter((folder) => isSeen(folder, me.data.may)) : [];
  const [help, setHelp] = useState(false);
  const [isFinding, setFinding] = useState(false);
  // The drawer of small screens is open until the next step of the history, which may lead to the same page.
  const [openAt, setOpenAt] = useState<string | null>(null);
  const isOpen = openAt === key;
  const hasRoom = !useMedia('(width < 992px)');
  const sidebar = useSidebarSwitch();
  const isFolded = hasRoom && !sidebar.on;
  if (hasRoom && openAt !== null) setOpenAt(null);
  const toggleSidebar = () => (hasRoom ? sidebar.turn(!sidebar.on) : setOpenAt(key));
  useCountsOfRoute(pathname, me.data?.name);
  useLiveChanges(me.data !== undefined);
  const { undoLast } = useUndo();
  const { takeNext } = useTakeNext();

  useHotkeys(
    {
      '[Shift]+?': () => setHelp(true),
      [UNDO_KEY]: undoLast,
      [TAKE_KEY]: takeNext,
      s: toggleSidebar,
      'g h': () => void navigate(paths.home),
      ...Object.fromEntries(
        folders.map(({ shortcut, path }) => [`g ${shortcut}`, () => void navigate(path)]),
      ),
    },
    'app',
  );
  useHotkeys(
    {
      '$mod+K': (event) => {
        event.preventDefault();
        if (!me.error) setFinding(true);
      },
    },
    'always',
  );
  useHotkeys({ '$mod+Enter': submitForm }, 'form');

  const content = useRef<HTMLElement>(null);
  const links = me.data && <Sidebar me={me.data} folders={folders} />;

  return (
    <AgencyZone value={me.data?.agency_time_zone ?? 'UTC'}>
      <div className={classes.shell} data-folded={isFolded || undefined}>
        <header className={classes.header}>
          <a href="#content" className={classes.skip}>
            Skip to content
          </a>
          <TopBar
            me={me.data}
            menu={hasRoom ? (isFolded ? 'Show sidebar' : 'Hide sidebar') : 'Open menu'}
            menuOpen={hasRoom ? !isFolded : isOpen}
            onMenu={toggleSidebar}
            onFind={() => setFinding(true)}
            onHelp={() => setHelp(true)}
          />
        </header>
        {isOpen ? (
          <Drawer label="Menu" head={<Brand />} onClose={() => setOpenAt(null)}>
            <nav aria-label="Main">{links}</nav>
          </Drawer>
        ) : (
          !isFolded && (
            <nav aria-label="Main" className={classes.navbar}>
              {links}
            </nav>
          )
        )}
        <main id="content" ref={content} tabIndex={-1} className={classes.main}>
          {me.data && <Outlet />}
          {me.error && (
            <div className={classes.failed} role="alert">
              <p>{me.error.message}</p>
              <TryAgain onClick={() => void me.refetch()} />{' '}
              <Button onClick={signOut}>Logout</Button>
            </div>
          )}
        </main>
        <RouteFocus content={content} />
        <ConfirmIdentity key={me.data?.id} />
        {help && (
          <Suspense fallback={null}>
            <ShortcutsDialog folders={folders} onClose={() => setHelp(false)} />
          </Suspense>
        )}
        {isFinding && (
          <Palette
            me={me.data}
            folders={folders}
            onUndo={undoLast}
            onTakeNext={takeNext}
            onHelp={() => setHelp(true)}
            onClose={() => setFinding(false)}
          />
        )}
        <ScrollRestoration getKey={scrollKeyOf} />
      </div>
    </AgencyZone>
  );
}

/** Clicks the button that sends a text of many lines, unless there are several to choose from. */
function submitForm({ target }: KeyboardEvent) {
  if (!(target instanceof HTMLTextAreaElement)) return;
  // A dialog in a form asks about something of its own.
  const asked = target.closest('form, dialog');
  const [button, ...others] =
    asked?.querySelectorAll<HTMLElement>('[type="submit"], [data-sends]') ?? [];
  if (others.length === 0) button?.click();
}

/** Reloads the counts on every change of route. */
function useCountsOfRoute(pathname: string, userName: string | undefined) {
  const queries = useQueryClient();
  const counted = useRef(pathname);
  useEffect(() => {
    if (userName === undefined || counted.current === pathname) return;
    counted.current = pathname;
    void queries.invalidateQueries(folderCountsQuery(userName));
  }, [queries, pathname, userName]);
}

/** Follows what changes on the server while a member is signed in. */
function useLiveChanges(isSignedIn: boolean) {
  const queries = useQueryClient();
  useEffect(
    () => (isSignedIn ? startLive((changes) => takeChanges(queries, changes)) : undefined),
    [queries, isSignedIn],
  );
  const unread = useLive((live) => live.unread);
  useEffect(() => {
    document.title = unread > 0 ? `(${unread}) Visadesk` : 'Visadesk';
  }, [unread]);
}
