/**
 * Takes the key of a mailed link out of the address, so that it stays out of the history and of bookmarks.
 * Null when there is none.
 */
export function takeMailedKey(): string | null {
  const key = /^#key=([\w-]+)$/.exec(location.hash)?.[1] ?? null;
  if (key !== null) history.replaceState(history.state, '', location.pathname + location.search);
  return key;
}
