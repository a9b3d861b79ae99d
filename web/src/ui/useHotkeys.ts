import { useLayoutEffect, useRef } from 'react';
import { tinykeys } from 'tinykeys';
import { useShortcutSwitch } from './shortcutSwitch';

export type Hotkeys = Record<string, (event: KeyboardEvent) => void>;

/** Binds keys while the component is shown: never inside fields or under a dialog. */
export function useHotkeys(hotkeys: Hotkeys): void {
  const on = useShortcutSwitch((state) => state.on);
  const latest = useRef(hotkeys);
  // With the screen, not after it: a key that is pressed as soon as the screen shows acts on what it shows.
  useLayoutEffect(() => {
    latest.current = hotkeys;
  });
  const keys = Object.keys(hotkeys).join('\n');
  useLayoutEffect(() => {
    if (!on) return;
    const bindings = keys
      .split('\n')
      .map((key) => [key, (event: KeyboardEvent) => latest.current[key]?.(event)] as const);
    return tinykeys(window, Object.fromEntries(bindings), { ignore: isElsewhere });
  }, [on, keys]);
}

const FIELDS =
  'textarea, select, [contenteditable], input:not([type="checkbox"], [type="radio"], [type="button"])';

function isElsewhere(event: KeyboardEvent): boolean {
  return (
    event.isComposing ||
    (event.target instanceof Element && event.target.closest(FIELDS) !== null) ||
    document.querySelector('dialog[open]') !== null
  );
}
