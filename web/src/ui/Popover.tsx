import { useLayoutEffect, useRef, type ReactNode } from 'react';
import classes from './Popover.module.css';

interface PopoverProps {
  /** Its accessible name. */
  label: string;
  role: 'menu' | 'group';
  /** The button that opened it. */
  anchor: HTMLElement;
  onClose: () => void;
  children: ReactNode;
}

const GAP_PX = 4;
const EDGE_PX = 8;

/** Content above the page beside its button. Escape, a click elsewhere and scrolling close it. */
export function Popover({ label, role, anchor, onClose, children }: PopoverProps) {
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
    const onToggle = (event: ToggleEvent) => {
      if (event.newState === 'closed') close.current();
    };
    const onScroll = (event: Event) => {
      if (event.target instanceof Node && element.contains(event.target)) return;
      element.hidePopover();
    };
    element.addEventListener('toggle', onToggle);
    element.addEventListener('keydown', moveFocus);
    window.addEventListener('scroll', onScroll, true);
    window.addEventListener('resize', onScroll);
    return () => {
      element.removeEventListener('toggle', onToggle);
      element.removeEventListener('keydown', moveFocus);
      window.removeEventListener('scroll', onScroll, true);
      window.removeEventListener('resize', onScroll);
    };
  }, [anchor]);

  return (
    <div ref={popover} className={classes.popover} popover="auto" role={role} aria-label={label}>
      {children}
    </div>
  );
}

/** The arrow keys move the focus through the content. */
function moveFocus(this: HTMLElement, event: KeyboardEvent) {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0) return;
  event.preventDefault();
  const items = itemsOf(this);
  const at = items.indexOf(document.activeElement as HTMLElement);
  items[(at + step + items.length) % items.length]?.focus();
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
