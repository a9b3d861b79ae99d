/** The sentences of a list of orders. */
import type { OrderSummary } from '@/api/types';
import { formatCount } from '@/ui/numbers';
import { folders, type Folder } from './folders';
import { NEED_TEXTS, type Needs } from './needs';
import type { OrderRows } from './useOrderRows';

export function emptyReason(
  place: string,
  q: string,
  needs: Needs | undefined,
  isFiltered: boolean,
): string {
  const list = needs ? 'list' : place;
  if (q) return `Nothing in this ${list} matches “${q}”${isFiltered ? ' and the filters' : ''}.`;
  if (isFiltered) return `No order in this ${list} matches the filters above.`;
  return needs ? NEED_TEXTS[needs].nothing : `There is no order in this ${place}.`;
}

/** The selection in the words of the bar. "Select all" reaches the rows of a page, and under All those that are loaded. */
export function selectedText(
  count: number,
  shown: number,
  { total, more }: OrderRows,
  pages: number,
) {
  const selected = formatCount(count);
  if (pages > 1) return `${selected} on this page selected`;
  if (count < shown || (shown === total && !more)) return `${selected} selected`;
  return `${selected} loaded orders of ${more ? 'more than ' : ''}${formatCount(total)} selected`;
}

/** Says which part of a long list was filtered. */
export function limitedText(folder: Folder): string {
  const first = folder === folders.futureOrder ? 'soonest' : 'newest';
  return `only the ${first} 50,000 orders were filtered`;
}

/** The nationalities of the shown orders, for suggestions. */
export function nationalitiesOf(rows: readonly OrderSummary[]): string[] {
  return [...new Set(rows.flatMap(({ nationality }) => nationality ?? []))].toSorted();
}

export function ordersText(total: number, more: boolean): string {
  return `${more ? 'more than ' : ''}${formatCount(total)} ${total === 1 ? 'order' : 'orders'}`;
}
