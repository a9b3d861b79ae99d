import { create } from 'zustand';

interface StoredSwitch {
  on: boolean;
  turn: (on: boolean) => void;
}

/** A switch that this browser remembers, whoever signs in. */
const storedSwitch = (key: string, initially: 'on' | 'off' = 'on') =>
  create<StoredSwitch>((set) => ({
    on: (localStorage.getItem(key) ?? initially) !== 'off',
    turn: (on) => {
      localStorage.setItem(key, on ? 'on' : 'off');
      set({ on });
    },
  }));

/** The switch of the keyboard shortcuts. */
export const useShortcutSwitch = storedSwitch('visadesk.shortcuts');

/** The switch of the sidebar, where the screen has room for one. */
export const useSidebarSwitch = storedSwitch('visadesk.sidebar');

/** The switch of the notices outside the window. */
export const useNoticeSwitch = storedSwitch('visadesk.notices', 'off');

/** The switch of what an Admin is told about a new installation. */
export const useFirstRunSwitch = storedSwitch('visadesk.firstRun');
