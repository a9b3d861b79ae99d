/** The key that combinations begin with on this computer. */
export const MOD_KEY = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl';

/** The keys of the app, as tinykeys writes them, and what the help says about them. Only these can be bound. */
export const KEY_HELP = [
  [['$mod+k'], 'Find an order, folder or action'],
  [['j', 'k'], 'Next and previous row'],
  [['x'], 'Select the row'],
  [['Enter', 'o'], 'View the order'],
  [['a'], 'Assign the selected orders to me'],
  [['m'], 'Move the order'],
  [['f'], 'File the order, and back to the order'],
  [['c'], 'Copy the value for the portal, and step on'],
  [['u'], 'Undo your last change of orders'],
  [['/'], 'Search'],
  [['[', ']'], 'Previous and next order of the list'],
  [[',', '.'], 'Previous and next document'],
  [['z', 'Shift+Z', 'r'], 'Zoom the document in and out, rotate it'],
  [['Shift+<', 'Shift+>'], 'Previous or next page of the document'],
  [['[Shift]+?'], 'This help'],
  [['g h'], 'Dashboard'],
] as const satisfies readonly (readonly [keys: readonly string[], what: string])[];

/** A key that can be bound: one of the help's, or the two of a folder. */
export type Key = (typeof KEY_HELP)[number][0][number] | `g ${string}`;

/** A key as people read it. */
export function keyText(key: Key): string {
  return key.replace('$mod+k', `${MOD_KEY} K`).replace(/^\[?Shift\]?\+/, '');
}
