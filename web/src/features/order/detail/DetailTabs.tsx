import { useRef, type KeyboardEvent, type ReactNode } from 'react';
import { create } from 'zustand';
import classes from './DetailTabs.module.css';
import segments from './segments.module.css';

const TITLES = {
  documents: 'Documents',
  data: 'Data',
  histories: 'Histories',
  timeline: 'Timeline',
  defence: 'Defence',
} as const;

/** A part of the order that is a tab where there is no room for all. */
export type DetailTab = keyof typeof TITLES;

export const TABS = Object.keys(TITLES) as DetailTab[];

const isTab = (name: string): name is DetailTab => name in TITLES;

/** The chosen tab. It stays chosen from one order to the next. */
export const useDetailTab = create<{ tab: DetailTab }>(() => ({ tab: 'documents' }));

export const showTab = (tab: DetailTab) => useDetailTab.setState({ tab });

/** The tab that the address names, as `#histories` does. */
export function tabOfHash(hash: string): DetailTab | null {
  const name = hash.slice(1);
  return isTab(name) ? name : null;
}

const tabId = (tab: DetailTab) => `tab-${tab}`;
/** The id of the element that a tab shows. */
export const partId = (tab: DetailTab) => `part-${tab}`;

interface DetailTabsProps {
  tabs: readonly DetailTab[];
  shown: DetailTab;
  /** Shown behind the titles. */
  notes: Partial<Record<DetailTab, ReactNode>>;
}

/** The tabs of the order: arrows, Home and End move and choose. */
export function DetailTabs({ tabs, shown, notes }: DetailTabsProps) {
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    const index = tabs.indexOf(shown);
    const targets: Record<string, number> = {
      ArrowRight: index + 1,
      ArrowLeft: index - 1,
      Home: 0,
      End: -1,
    };
    const target = tabs.at((targets[event.key] ?? index) % tabs.length);
    if (targets[event.key] === undefined || target === undefined) return;
    event.preventDefault();
    showTab(target);
    list.current?.querySelector<HTMLElement>(`#${tabId(target)}`)?.focus();
  };
  return (
    <div
      ref={list}
      className={`${segments.bar} ${classes.tabs}`}
      role="tablist"
      aria-label="Parts of the order"
      tabIndex={-1}
      onKeyDown={move}
    >
      {tabs.map((tab) => (
        <button
          key={tab}
          type="button"
          role="tab"
          id={tabId(tab)}
          aria-selected={tab === shown}
          aria-controls={partId(tab)}
          tabIndex={tab === shown ? 0 : -1}
          onClick={() => showTab(tab)}
        >
          {TITLES[tab]} {notes[tab]}
        </button>
      ))}
    </div>
  );
}

interface PanelProps {
  tab: DetailTab;
  /** The tab that is shown; null: there is room for all parts. */
  shown: DetailTab | null;
  className: string | undefined;
  children: ReactNode;
}

/** A part of the order. A hidden one keeps its state. */
export function Panel({ tab, shown, className, children }: PanelProps) {
  const ofTab = shown && {
    role: 'tabpanel',
    'aria-labelledby': tabId(tab),
    tabIndex: 0,
    hidden: tab !== shown,
  };
  return (
    <div id={partId(tab)} className={[classes.panel, className].join(' ')} {...ofTab}>
      {children}
    </div>
  );
}
