import { useLayoutEffect, useRef, type ReactNode } from 'react';
import classes from './Popover.module.css';

interface PopoverProps {
  /** Its accessible name. */
  label: string;
  role: 'menu' | 'group';
  /** The button that opened it. It gets the focus back. */
  anchor: HTMLElement;
  /** Shown above the content. */
  head?: ReactNode;
  onClose: () => void;
  children: ReactNode;
}

const GAP_PX = 4;
const EDGE_PX = 8;

/**
 * Content above the page beside its button, in the browser's own layer. Arrows, Home, End and, in a menu, letters move the focus
 * through it. Escape, a click elsewhere and Tab out of it close it; in a menu, every Tab does.
 */
export function Popover({ label, role, anchor, head, onClose, children }: PopoverProps) {
  const popover = useRef<HTMLDivElement>(null);
  const close = useRef(onClose);
  useLayoutEffect(() => {
    close.current = onClose;
  });
  useLayoutEffect(() => {
    const element = popover.current;
    if (!element) return;
    element.showPopover();
    place(element, anchor);
    itemsOf(element)[0]?.focus();
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' || (event.key === 'Tab' && role === 'menu')) {
        event.stopPropagation();
        anchor.focus();
        close.current();
      } else {
        moveFocus(element, role, event);
      }
    };
    const onToggle = (event: ToggleEvent) => {
      if (event.newState === 'closed') close.current();
    };
    const onFocus = ({ target }: FocusEvent) => {
      const isOutside = target instanceof Node && !element.contains(target);
      // A click on the button, which takes the focus, closes by itself.
      if (isOutside && !anchor.contains(target)) close.current();
    };
    const follow = () => {
      if (anchor.isConnected) place(element, anchor);
      else element.hidePopover();
    };
    const listening = new AbortController();
    const { signal } = listening;
    element.addEventListener('toggle', onToggle, { signal });
    element.addEventListener('keydown', onKey, { signal });
    document.addEventListener('focusin', onFocus, { signal });
    window.addEventListener('scroll', follow, { signal, capture: true });
    window.addEventListener('resize', follow, { signal });
    return () => listening.abort();
  }, [anchor, role]);

  return (
    <div ref={popover} className={classes.popover} popover="auto">
      {head}
      <div role={role} aria-label={label}>
        {children}
      </div>
    </div>
  );
}

/** Moves the focus by an arrow key, Home, End or a first letter; past an end it goes on at the other one. */
function moveFocus(popover: HTMLElement, role: PopoverProps['role'], event: KeyboardEvent) {
  const items = itemsOf(popover);
  const index = items.indexOf(document.activeElement as HTMLElement);
  const targets: Record<string, number> = {
    ArrowDown: index + 1,
    ArrowUp: index - 1,
    Home: 0,
    End: -1,
  };
  const target = targets[event.key];
  if (target !== undefined) {
    event.preventDefault();
    items.at(target % items.length)?.focus();
  } else if (role === 'menu' && !event.ctrlKey && !event.metaKey && !event.altKey) {
    const after = [...items.slice(index + 1), ...items.slice(0, index + 1)];
    after.find((item) => beginsWith(item, event.key))?.focus();
  }
}

/** A key such as `Enter` begins no label. */
const beginsWith = ({ textContent }: HTMLElement, key: string): boolean =>
  key.length === 1 && textContent.trim().toLowerCase().startsWith(key.toLowerCase());

function itemsOf(popover: HTMLElement): HTMLElement[] {
  return [...popover.querySelectorAll<HTMLElement>('a, button, input')];
}

/** Below the button, or above it where there is no room, with the right edges in line. */
function place(popover: HTMLElement, anchor: HTMLElement) {
  const from = anchor.getBoundingClientRect();
  const { width, height } = popover.getBoundingClientRect();
  const below = from.bottom + GAP_PX;
  const fits = below + height + EDGE_PX <= window.innerHeight;
  popover.style.left = `${Math.max(EDGE_PX, from.right - width)}px`;
  popover.style.top = `${fits ? below : Math.max(EDGE_PX, from.top - GAP_PX - height)}px`;
}
