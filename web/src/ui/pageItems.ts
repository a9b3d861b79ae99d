const SIBLINGS = 1;

/**
 * The page numbers to offer: the first, the last, and the current one with its neighbours.
 * A gap of more than one page is an ellipsis; a gap of one page is that page.
 */
export function pageItems(page: number, pages: number): (number | '…')[] {
  const from = Math.max(1, Math.min(page - SIBLINGS, pages - 2 * SIBLINGS - 2));
  const to = Math.min(pages, Math.max(page + SIBLINGS, 2 * SIBLINGS + 3));
  const items: (number | '…')[] = [];
  if (from > 1) items.push(1);
  if (from > 2) items.push(from === 3 ? 2 : '…');
  for (let number = from; number <= to; number++) items.push(number);
  if (to < pages - 1) items.push(to === pages - 2 ? pages - 1 : '…');
  if (to < pages) items.push(pages);
  return items;
}
