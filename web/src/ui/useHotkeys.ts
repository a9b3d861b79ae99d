import { useLayoutEffect, useRef } from 'react';
import { bindKeys, type Hotkeys, type KeyScope } from './keyRegistry';

/** Binds keys while the component is shown. */
export function useHotkeys(hotkeys: Hotkeys, scope: KeyScope = 'screen'): void {
  const latest = useRef(hotkeys);
  // With the screen, not after it: a key that is pressed as soon as the screen shows acts on what it shows.
  useLayoutEffect(() => {
    latest.current = hotkeys;
  });
  useLayoutEffect(() => bindKeys({ scope, hotkeys: () => latest.current }), [scope]);
}
