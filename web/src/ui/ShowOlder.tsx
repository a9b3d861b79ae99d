import { useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { Button } from './Button';
import { HiddenText } from './HiddenText';
import { formatCount } from './numbers';
import classes from './ShowOlder.module.css';

/** The entries of a long list that are older than those on the screen. */
export interface OlderEntries {
  exist: boolean;
  /** They are being loaded. */
  busy: boolean;
  /** Adds some of them to the list. Returns how many; undefined after a failure, for which the member is offered `retry`. */
  add: (retry: () => void) => Promise<number | undefined>;
}

interface ShowOlderProps {
  label?: string;
  older: OlderEntries;
  /** The number of entries on the screen. */
  shown: number;
  /** The number of all entries, if it is known. */
  total?: number | undefined;
  /** The list, which takes the focus when there is nothing more to show. */
  list: RefObject<HTMLElement | null>;
}

/** The button that adds older entries to a list, and says to screen readers how many were added. */
export function ShowOlder({ label = 'Show older', older, shown, total, list }: ShowOlderProps) {
  const [added, setAdded] = useState(0);
  const wasPressed = useRef(false);
  useLayoutEffect(() => {
    if (older.exist || !wasPressed.current) return;
    wasPressed.current = false;
    if (document.activeElement === document.body) list.current?.focus({ preventScroll: true });
  }, [older.exist, list]);
  const press = async () => {
    wasPressed.current = true;
    setAdded((await older.add(() => void press())) ?? 0);
  };
  return (
    <>
      {older.exist && (
        <span className={classes.button}>
          <Button small busy={older.busy} onClick={() => void press()}>
            {label}
          </Button>
        </span>
      )}
      <HiddenText role="status">
        {added > 0 &&
          `${formatCount(added)} older added, ${formatCount(shown)}${total === undefined ? '' : ` of ${formatCount(total)}`} shown`}
      </HiddenText>
    </>
  );
}
