import type { FoundOrder, FolderCounts, UserInfo } from '@/api/types';
import { currentOffers } from '@/features/order/actions/offers';
import { TAKE_KEY, UNDO_KEY } from '@/features/order/actions/orderActions';
import { isOpen, useLastChange } from '@/features/order/actions/lastChange';
import { allFolders, folders as all, type Folder } from '@/features/order/folders';
import type { RecentOrder } from '@/features/order/recentOrders';
import { placeText } from '@/features/order/foundIn';
import { paths } from '@/paths/staffPaths';
import { signOut } from '@/session/session';
import { officeLinks } from '../shell/officeLinks';

/** A line of the palette. */
export interface Entry {
  /** Unique in the palette. */
  id: string;
  title: string;
  /** The subject of the entry, after the title. */
  note?: string;
  /** The keys that do the same elsewhere, one after the other. */
  keys?: readonly string[];
  count?: number | undefined;
  isDanger?: boolean | undefined;
  order?: RecentOrder;
  /** Where the order has what is typed, if neither its title nor its note nor its email shows it. */
  place?: string | undefined;
  /** The name of the folder in which this person finds the order. */
  folder?: string | undefined;
  /** The screen that it opens; without one it runs `run`. */
  path?: string;
  run?: () => void;
}

/** Entries under one heading. */
export interface EntryGroup {
  title: 'Orders' | 'Recent orders' | 'Folders and screens' | 'Actions';
  entries: readonly Entry[];
}

interface Reach {
  me: UserInfo;
  /** The folders this person sees. */
  folders: readonly Folder[];
}

interface Handlers {
  onUndo: () => void;
  onTakeNext: () => void;
  onHelp: () => void;
}

/** The folder's name in the sidebar. */
const nameOf = ({ title, linkLabel }: Folder) => linkLabel ?? title;

/** The folders and screens that this person may open. */
export function screenEntries({ me, folders }: Reach, counts: FolderCounts | undefined): Entry[] {
  const home: Entry = { id: paths.home, title: 'Dashboard', keys: ['g', 'h'], path: paths.home };
  const lists = folders.map((folder): Entry => {
    const { path, shortcut, countKey } = folder;
    const keys = ['g', shortcut];
    return { id: path, title: nameOf(folder), keys, count: counts?.[countKey], path };
  });
  const phoneOrder = { title: 'Add order by phone', path: paths.newPhoneOrder };
  const office = officeLinks.filter(({ seenWith }) => seenWith === undefined || me.may[seenWith]);
  return [
    home,
    ...lists,
    ...[...office, ...(me.may.add_phone_orders ? [phoneOrder] : [])].map(
      ({ title, path }): Entry => ({ id: path, title, path }),
    ),
  ];
}

/**
 * Returns the actions that are possible now: those of the screen, Undo, and those that are always
 * there.
 */
export function actionEntries({ onUndo, onTakeNext, onHelp }: Handlers): Entry[] {
  // What is done with the selection or the order comes before what is done with the list.
  const offered = currentOffers().toSorted(
    (one, other) => Number(!one.about) - Number(!other.about),
  );
  const offers = offered.map(({ label, about, key, isDanger, asks, run }): Entry => {
    const title = asks ? `${label}…` : label;
    return { id: label, title, note: about ?? '', keys: key ? [key] : [], isDanger, run };
  });
  const { last } = useLastChange.getState();
  const undo: Entry[] =
    last && isOpen(last)
      ? [{ id: 'Undo', title: 'Undo', note: last.message, keys: [UNDO_KEY], run: onUndo }]
      : [];
  return [
    ...offers,
    ...undo,
    { id: 'Take next', title: 'Take next', keys: [TAKE_KEY], run: onTakeNext },
    { id: 'Help', title: 'Keyboard shortcuts', keys: ['?'], run: onHelp },
    { id: 'Logout', title: 'Logout', run: signOut },
  ];
}

/** An order by its number, as it was `typed`: with or without `VD-`. */
function numbered(order: RecentOrder, typed: string): Entry {
  const { order_id, order_number, full_name } = order;
  return {
    id: `order ${order_id}`,
    title: /^vd/i.test(typed) ? order_number : String(order_id),
    note: full_name,
    order,
    path: paths.viewOrder(order_id),
  };
}

/** The orders with what is `typed`, and behind several the list of all of them, if this person has one. */
export function foundEntries(
  orders: readonly FoundOrder[],
  typed: string,
  seen: readonly Folder[],
): Entry[] {
  const found = orders.map((order): Entry => {
    const folder = allFolders.find(({ orderName }) => orderName === order.folder);
    const place = order.excerpt ? `“${order.excerpt}”` : placeText(order.found_in);
    return { ...numbered(order, typed), folder: folder && nameOf(folder), place };
  });
  const { path } = all.allOrder;
  if (found.length < 2 || !seen.some((folder) => folder.path === path)) return found;
  const title = `See all results for “${typed}”`;
  return [...found, { id: SEE_ALL, title, path: `${path}?${new URLSearchParams({ q: typed })}` }];
}

/** The id of the entry that opens the list of all results. */
export const SEE_ALL = 'See all results';

/** The orders that this tab opened before, without the one on the screen at `path`. */
export function recentEntries(orders: readonly RecentOrder[], path: string): Entry[] {
  return orders.map((order) => numbered(order, '')).filter((entry) => entry.path !== path);
}

/** The entries in which each word of `typed` begins a word; all of them when nothing is typed. */
export function matching(entries: readonly Entry[], typed: string): readonly Entry[] {
  if (typed === '') return entries;
  const words = wordsOf(typed);
  if (words.length === 0) return [];
  return entries.filter(({ title }) => {
    const own = wordsOf(title);
    return words.every((word) => own.some((one) => one.startsWith(word)));
  });
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
}
