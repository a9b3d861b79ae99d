/** The key that combinations begin with on this computer. */
export const MOD_KEY = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl';

/** The keys of the app, as tinykeys writes them, and what the help says about them. Only these can be bound. */
export const KEY_HELP = [
  [['$mod+K'], 'Find an order, folder or action'],
  [['j', 'k'], 'Next and previous row'],
  [['x'], 'Select the row'],
  [['Enter', 'o'], 'View the order'],
  [['a'], 'Assign the selected orders to me, else the order of the row'],
  [['t'], 'Take the most urgent order without an owner'],
  [['m'], 'Move the order'],
  [['d'], 'Documents of the order, and back to the order'],
  [['f'], 'File the order, and back to the order'],
  [['c'], 'Comment on the order; in Filing, copy the value and step on'],
  [['$mod+Enter'], 'Save the comment, or another text of many lines'],
  [['v'], 'Choose a visa to upload'],
  [['1', '2', '3', '4'], 'The document is fine, unreadable, wrong, expired'],
  [['n'], 'Next document to check; in Filing, the application number'],
  [['u'], 'Undo your last change of orders'],
  [['/'], 'Search'],
  [['s'], 'Hide or show the sidebar'],
  [['[', ']'], 'Previous and next order of the list'],
  [[',', '.'], 'Previous and next document'],
  [['z', 'Shift+Z', 'r'], 'Zoom the document in and out, rotate it'],
  [['Shift+<', 'Shift+>'], 'Previous or next page of the document'],
  [['[Shift]+?'], 'This help'],
  [['g h'], 'Dashboard'],
] as const satisfies readonly (readonly [keys: readonly string[], what: string])[];

/** A key that can be bound: one of the help's, or the two of a folder. */
export type Key = (typeof KEY_HELP)[number][0][number] | `g ${string}`;

/** The keys that act again while they are held. */
export const HELD_KEYS: ReadonlySet<Key> = new Set<Key>([
  'j',
  'k',
  'z',
  'Shift+Z',
  'Shift+<',
  'Shift+>',
]);

/** A key as people read it. */
export function keyText(key: Key): string {
  return key.replace('$mod+', `${MOD_KEY} `).replace(/^\[?Shift\]?\+/, '');
}
