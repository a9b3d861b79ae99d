import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import classes from './Menu.module.css';

export interface MenuItem {
  label: string;
  onClick: () => void;
}

interface MenuProps {
  /** The content of the button that opens the menu. */
  children: ReactNode;
  /** Shown above the items. */
  head?: ReactNode;
  items: readonly MenuItem[];
}

/** A button with a menu: arrows move, Escape and Tab close it. */
export function Menu({ children, head, items }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();

  useEffect(() => {
    if (!isOpen) return;
    itemsIn(place.current)[0]?.focus();
    const close = ({ target }: PointerEvent) => {
      if (target instanceof Node && !place.current?.contains(target)) setOpen(false);
    };
    document.addEventListener('pointerdown', close);
    return () => document.removeEventListener('pointerdown', close);
  }, [isOpen]);

  const move = (event: KeyboardEvent) => {
    const all = itemsIn(place.current);
    const index = all.indexOf(document.activeElement as HTMLElement);
    const targets: Record<string, number> = {
      ArrowDown: index + 1,
      ArrowUp: index - 1,
      Home: 0,
      End: -1,
    };
    const target = targets[event.key];
    if (target !== undefined) {
      event.preventDefault();
      all.at(target % all.length)?.focus();
    } else if (event.key === 'Escape' || event.key === 'Tab') {
      event.stopPropagation();
      setOpen(false);
      button.current?.focus();
    }
  };
  return (
    <div ref={place} className={classes.place}>
      <button
        ref={button}
        type="button"
        className={classes.button}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        {children}
      </button>
      {isOpen && (
        <div className={classes.panel}>
          {head}
          <div id={id} role="menu" tabIndex={-1} aria-orientation="vertical" onKeyDown={move}>
            {items.map(({ label, onClick }) => (
              <button
                key={label}
                type="button"
                role="menuitem"
                tabIndex={-1}
                className={classes.item}
                onClick={() => {
                  setOpen(false);
                  button.current?.focus();
                  onClick();
                }}
              >
                {label}
              </button>
            ))}
          </div>
        </div>
      )}
    </div>
  );
}

function itemsIn(place: HTMLElement | null): HTMLElement[] {
  return [...(place?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];
}
