import { matchKeybindingPress, parseKeybinding, type KeybindingPress } from 'tinykeys';
import { HELD_KEYS, type Key } from './keys';
import { useShortcutSwitch } from './storedSwitch';

/**
 * The scopes of keys from the inside out: the key of an inner one wins. Those of `form` and `always` also act inside fields and
 * while shortcuts are switched off, those of `form` under a dialog as well.
 */
const SCOPES = ['form', 'view', 'screen', 'app', 'always'] as const;
export type KeyScope = (typeof SCOPES)[number];

/** The handlers of keys. The type refuses a key that the help does not show. */
export type Hotkeys = Partial<Record<Key, (event: KeyboardEvent) => void>>;

interface Layer {
  scope: KeyScope;
  hotkeys: () => Hotkeys;
}

interface Binding {
  key: Key;
  scope: KeyScope;
  act: (event: KeyboardEvent) => void;
  /** The presses that are left of the key's sequence. */
  presses: readonly KeybindingPress[];
}

/** The longest pause between two keys of a sequence. */
const SEQUENCE_MS = 1000;

const layers = new Set<Layer>();
/** The sequences that have begun. Until they end, no single key acts. */
let begun: readonly Binding[] = [];
let begunAt = 0;

/** Binds the keys of a component. Returns the function that releases them. */
export function bindKeys(layer: Layer): () => void {
  if (layers.size === 0) window.addEventListener('keydown', onKeyDown);
  layers.add(layer);
  return () => {
    layers.delete(layer);
    if (layers.size === 0) window.removeEventListener('keydown', onKeyDown);
  };
}

function onKeyDown(event: KeyboardEvent): void {
  // The autocompletion of a field sends events without a key.
  if (!event.key || event.isComposing || event.defaultPrevented || isModifier(event)) return;
  const isSequence = begun.length > 0 && event.timeStamp - begunAt < SEQUENCE_MS;
  const candidates = isSequence
    ? [...begun, ...allBindings().filter(({ scope }) => isCombination(scope))]
    : allBindings();
  const matching = candidates.filter(
    ({ scope, presses }) => matchKeybindingPress(event, presses[0]!) && actsOn(scope, event),
  );
  if (event.repeat && !matching.some(({ key }) => HELD_KEYS.has(key))) return;
  begun = matching
    .filter(({ presses }) => presses.length > 1)
    .map(({ key, scope, act, presses }) => ({ key, scope, act, presses: presses.slice(1) }));
  begunAt = event.timeStamp;
  if (begun.length === 0) matching[0]?.act(event);
}

/** The keys of all layers, those of the inner scopes first. */
function allBindings(): Binding[] {
  const sorted = [...layers].toSorted(
    (one, other) => SCOPES.indexOf(one.scope) - SCOPES.indexOf(other.scope),
  );
  return sorted.flatMap(({ scope, hotkeys }) =>
    (Object.entries(hotkeys()) as [Key, Binding['act']][]).map(([key, act]) => ({
      key,
      scope,
      act,
      presses: parseKeybinding(key),
    })),
  );
}

/** The keys of these scopes need `$mod`, so they never belong to a sequence. */
const isCombination = (scope: KeyScope) => scope === 'form' || scope === 'always';

function actsOn(scope: KeyScope, event: KeyboardEvent): boolean {
  if (scope === 'form') return true;
  if (document.querySelector('dialog[open], :popover-open') !== null) return false;
  return scope === 'always' || (useShortcutSwitch.getState().on && !isInField(event));
}

const FIELDS =
  'textarea, select, [contenteditable], input:not([type="checkbox"], [type="radio"], [type="button"])';

function isInField({ target }: KeyboardEvent): boolean {
  return target instanceof Element && target.closest(FIELDS) !== null;
}

const isModifier = ({ key }: KeyboardEvent) => /^(Shift|Control|Alt|AltGraph|Meta)$/.test(key);
