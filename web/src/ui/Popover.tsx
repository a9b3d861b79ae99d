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
 * Content above the page beside its button, in the browser's own layer. Arrows, Home and End move the focus through it.
 * Escape, a click elsewhere and scrolling close it, and so does Tab in a menu.
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
        moveFocus(element, event);
      }
    };
    const onToggle = (event: ToggleEvent) => {
      if (event.newState === 'closed') close.current();
    };
    const onScroll = (event: Event) => {
      if (event.target instanceof Node && element.contains(event.target)) return;
      element.hidePopover();
    };
    element.addEventListener('toggle', onToggle);
    element.addEventListener('keydown', onKey);
    window.addEventListener('scroll', onScroll, true);
    window.addEventListener('resize', onScroll);
    return () => {
      element.removeEventListener('toggle', onToggle);
      element.removeEventListener('keydown', onKey);
      window.removeEventListener('scroll', onScroll, true);
      window.removeEventListener('resize', onScroll);
    };
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

/** Moves the focus by an arrow key, Home or End; past an end it goes on at the other one. */
function moveFocus(popover: HTMLElement, event: KeyboardEvent) {
  const items = itemsOf(popover);
  const index = items.indexOf(document.activeElement as HTMLElement);
  const targets: Record<string, number> = {
    ArrowDown: index + 1,
    ArrowUp: index - 1,
    Home: 0,
    End: -1,
  };
  const target = targets[event.key];
  if (target === undefined) return;
  event.preventDefault();
  items.at(target % items.length)?.focus();
}

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
