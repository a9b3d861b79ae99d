import { useQuery } from '@tanstack/react-query';
import {
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
} from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { UserInfo } from '@/api/types';
import { allFolders, type Folder } from '@/features/order/folders';
import { folderCountsQuery } from '@/features/order/orderQueries';
import { useRecentOrders } from '@/features/order/recentOrders';
import { fromOrigin, originOf, scrollKeyOf } from '@/paths/origin';
import { Icon } from '@/ui/Icon';
import { IconButton } from '@/ui/IconButton';
import { Modal } from '@/ui/Modal';
import { TryAgain } from '@/ui/TryAgain';
import { MOD_KEY } from '@/ui/keys';
import {
  actionEntries,
  foundEntries,
  matching,
  recentEntries,
  screenEntries,
  SEE_ALL,
  type Entry,
  type EntryGroup,
} from './entries';
import { Option } from './Option';
import classes from './Palette.module.css';
import { MIN_LENGTH, useOrderSearch } from './useOrderSearch';

interface PaletteProps {
  /** Undefined while the member is loading: what is typed meanwhile is kept. */
  me: UserInfo | undefined;
  /** The folders this person sees. */
  folders: readonly Folder[];
  onUndo: () => void;
  onTakeNext: () => void;
  onHelp: () => void;
  onClose: () => void;
}

/**
 * Finds orders, screens and actions by what is typed: a combobox whose options are always shown. It is part of the frame, because
 * what is typed right after its key must not wait for a chunk.
 */
export function Palette(props: PaletteProps) {
  const { me, folders, onUndo, onTakeNext, onHelp, onClose } = props;
  const navigate = useNavigate();
  const orderState = useOrderState();
  const [text, setText] = useState('');
  const typed = text.trim();
  const search = useOrderSearch(typed);
  const counts = useQuery({ ...folderCountsQuery(me?.name ?? ''), enabled: me !== undefined }).data;
  const [actions] = useState(() => actionEntries({ onUndo, onTakeNext, onHelp }));
  const recent = useRecentOrders((state) => state.orders);
  const { pathname } = useLocation();
  const groups = useMemo(() => {
    const screens = me ? screenEntries({ me, folders }, counts) : [];
    const found = foundEntries(search.orders, typed, folders);
    return groupsOf(typed, found, recentEntries(recent, pathname), screens, actions);
  }, [typed, search.orders, recent, pathname, me, folders, counts, actions]);
  const entries = groups.flatMap((group) => group.entries);
  const results = entries.filter((entry) => entry.id !== SEE_ALL).length;

  const [chosen, setChosen] = useState<string | null>(null);
  const active = entries.find(({ id }) => id === chosen) ?? entries[0];
  // Orders arrive above the entries that are shown already: what Enter opens does not change with them.
  if (search.isSearching && active && chosen !== active.id) setChosen(active.id);
  // Enter was pressed before the orders arrived.
  const isWaiting = useRef(false);

  const open = (entry: Entry, inNewTab: boolean) => {
    if (inNewTab && entry.path !== undefined) {
      window.open(entry.path, '_blank', 'noopener');
      return;
    }
    onClose();
    if (entry.path === undefined) entry.run?.();
    else void navigate(entry.path, entry.order && { state: orderState });
  };
  const latestOpen = useRef(open);
  useLayoutEffect(() => {
    latestOpen.current = open;
  });
  useEffect(() => {
    if (!isWaiting.current || search.isSearching) return;
    isWaiting.current = false;
    if (entries.length === 1) latestOpen.current(entries[0]!, false);
  }, [search.isSearching, entries]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const isMod = event.ctrlKey || event.metaKey;
    if (isMod && event.key.toLowerCase() === 'k') {
      event.preventDefault();
      onClose();
      return;
    }
    const step = STEPS[event.key];
    if (step !== undefined && entries.length > 0) {
      event.preventDefault();
      const next = entries.indexOf(active!) + step;
      setChosen(entries.at(next % entries.length)!.id);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      if (active) open(active, isMod);
      else isWaiting.current = search.isSearching;
    }
  };

  const id = useId();
  const optionId = (entry: Entry) => `${id}option${entries.indexOf(entry)}`;
  return (
    <Modal className={classes.dialog} aria-label="Find" backdropCloses onClose={onClose}>
      <div className={classes.field}>
        <Icon>
          <circle cx="7" cy="7" r="4.5" />
          <path d="M10.5 10.5l3 3" />
        </Icon>
        <input
          data-autofocus
          className={classes.input}
          role="combobox"
          aria-label="Find an order, folder or action"
          aria-autocomplete="list"
          aria-expanded={entries.length > 0}
          aria-controls={entries.length > 0 ? id : undefined}
          aria-activedescendant={active && optionId(active)}
          placeholder="Find an order, folder or action"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="go"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setChosen(null);
            isWaiting.current = false;
          }}
          onKeyDown={onKeyDown}
        />
        <kbd aria-hidden="true">Esc</kbd>
        <span className={classes.close}>
          <IconButton kind="bare" label="Close" onClick={onClose}>
            <path d="M3.5 3.5l9 9M12.5 3.5l-9 9" />
          </IconButton>
        </span>
      </div>
      {entries.length > 0 && (
        <div id={id} role="listbox" aria-label="Results" className={classes.results}>
          {groups.map((group, index) => (
            <div key={group.title} role="group" aria-labelledby={`${id}group${index}`}>
              <div id={`${id}group${index}`} role="presentation" className={classes.title}>
                {group.title}
              </div>
              {group.entries.map((entry) => (
                <Option
                  key={entry.id}
                  id={optionId(entry)}
                  entry={entry}
                  typed={typed}
                  isActive={entry === active}
                  onPoint={() => setChosen(entry.id)}
                  onOpen={(event: MouseEvent) => open(entry, event.ctrlKey || event.metaKey)}
                />
              ))}
            </div>
          ))}
        </div>
      )}
      <div className={classes.notes}>
        <p role="status">{noteOf(typed, search.isSearching, search.error, results)}</p>
        {search.error && (
          <p role="alert" className={classes.failed}>
            The orders could not be searched. {search.error.message}{' '}
            <TryAgain small onClick={search.retry} />
          </p>
        )}
      </div>
      <footer className={classes.foot} aria-hidden="true">
        <span>
          <kbd>↑</kbd> <kbd>↓</kbd> choose
        </span>
        <span>
          <kbd>Enter</kbd> open
        </span>
        <span>
          <kbd>{MOD_KEY}</kbd> <kbd>Enter</kbd> new tab
        </span>
        <span className={classes.tip}>Number, name, email, passport or comment</span>
      </footer>
    </Modal>
  );
}

const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };

/** Orders first. Without a text they are those of before, and what can be done now comes before where one can go. */
function groupsOf(
  typed: string,
  orders: readonly Entry[],
  recent: readonly Entry[],
  screens: readonly Entry[],
  actions: readonly Entry[],
): EntryGroup[] {
  const places: EntryGroup = { title: 'Folders and screens', entries: matching(screens, typed) };
  const acts: EntryGroup = { title: 'Actions', entries: matching(actions, typed) };
  const groups: EntryGroup[] =
    typed === ''
      ? [{ title: 'Recent orders', entries: recent }, acts, places]
      : [{ title: 'Orders', entries: orders }, places, acts];
  return groups.filter(({ entries }) => entries.length > 0);
}

/** Returns the note about the results. */
function noteOf(typed: string, isSearching: boolean, error: Error | null, count: number): string {
  if (isSearching) return 'Searching orders…';
  if (count > 0) return count === 1 ? '1 result' : `${count} results`;
  if (error) return '';
  if (typed.length < MIN_LENGTH) return 'Type one more letter or digit to search orders.';
  return `No order, folder or action matches “${typed}”.`;
}

/** The navigation state of an order: the way back leads to the list on the screen, or where it led before. */
function useOrderState(): object | null {
  const location = useLocation();
  const origin = originOf(location);
  if (origin) return fromOrigin(origin);
  if (!allFolders.some(({ path }) => path === location.pathname)) return null;
  const path = location.pathname + location.search;
  return fromOrigin({ label: 'Back to list', path, scrollKey: scrollKeyOf(location) });
}
