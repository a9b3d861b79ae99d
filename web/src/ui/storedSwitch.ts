import { create } from 'zustand';

interface StoredSwitch {
  on: boolean;
  turn: (on: boolean) => void;
}

/** A switch that this browser remembers, whoever signs in. It is on until it is turned off. */
const storedSwitch = (key: string) =>
  create<StoredSwitch>((set) => ({
    on: localStorage.getItem(key) !== 'off',
    turn: (on) => {
      localStorage.setItem(key, on ? 'on' : 'off');
      set({ on });
    },
  }));

/** The switch of the keyboard shortcuts. */
export const useShortcutSwitch = storedSwitch('visadesk.shortcuts');

/** The switch of the sidebar, where the screen has room for one. */
export const useSidebarSwitch = storedSwitch('visadesk.sidebar');
