import { create } from 'zustand';

const KEY = 'visadesk.shortcuts';

/** The switch of the keyboard shortcuts in this browser. */
export const useShortcutSwitch = create<{ on: boolean }>(() => ({
  on: localStorage.getItem(KEY) !== 'off',
}));

export function switchShortcuts(on: boolean): void {
  localStorage.setItem(KEY, on ? 'on' : 'off');
  useShortcutSwitch.setState({ on });
}
