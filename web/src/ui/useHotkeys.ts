import { useLayoutEffect, useRef } from 'react';
import { tinykeys } from 'tinykeys';
import type { Key } from './keys';
import { useShortcutSwitch } from './shortcutSwitch';

/** The handlers of keys. The type refuses a key that the help does not show. */
export type Hotkeys = Partial<Record<Key, (event: KeyboardEvent) => void>>;

interface HotkeyOptions {
  /** Also inside fields, and while shortcuts are switched off; for combinations with `$mod`. */
  everywhere?: boolean;
}

/** Binds keys while the component is shown: never inside fields or under a dialog. */
export function useHotkeys(hotkeys: Hotkeys, { everywhere = false }: HotkeyOptions = {}): void {
  const isSwitchedOn = useShortcutSwitch((state) => state.on);
  const on = everywhere || isSwitchedOn;
  const latest = useRef(hotkeys);
  // With the screen, not after it: a key that is pressed as soon as the screen shows acts on what it shows.
  useLayoutEffect(() => {
    latest.current = hotkeys;
  });
  const keys = Object.keys(hotkeys).join('\n');
  useLayoutEffect(() => {
    if (!on || keys === '') return;
    const bindings = keys
      .split('\n')
      .map((key) => [key, (event: KeyboardEvent) => latest.current[key as Key]?.(event)] as const);
    return tinykeys(window, Object.fromEntries(bindings), {
      ignore: (event) => event.isComposing || isUnderDialog() || (!everywhere && isInField(event)),
    });
  }, [on, everywhere, keys]);
}

const FIELDS =
  'textarea, select, [contenteditable], input:not([type="checkbox"], [type="radio"], [type="button"])';

function isInField({ target }: KeyboardEvent): boolean {
  return target instanceof Element && target.closest(FIELDS) !== null;
}

function isUnderDialog(): boolean {
  return document.querySelector('dialog[open]') !== null;
}
