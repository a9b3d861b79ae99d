import { useCallback, useEffect, useRef, useState, type KeyboardEvent } from 'react';
import classes from './SearchBox.module.css';
import { useHotkeys } from './useHotkeys';
import { firstRow } from './useRowHotkeys';

const DEBOUNCE_MS = 500;

interface SearchBoxProps {
  label: string;
  value: string;
  onSearch: (text: string) => void;
  /** False while the rows of the list are not yet those that match `value`. */
  isReady?: boolean;
}

/** A text that is not yet the `value`. */
interface Edit {
  text: string;
  /** The value that was typed over. */
  over: string;
  /** The last text that was searched for: its arrival does not overwrite newer input. */
  sent?: string;
}

/** A search field that waits until typing pauses. `/` leads into it, Escape out of it, Enter and the arrow to the rows. */
export function SearchBox({ label, value, onSearch, isReady = true }: SearchBoxProps) {
  const input = useRef<HTMLInputElement>(null);
  const [edit, setEdit] = useState<Edit | null>(null);
  if (edit && edit.text === value && (edit.sent ?? value) === value) setEdit(null);
  else if (edit && edit.over !== value) {
    // Another text than the one that was sent comes from the history of the browser.
    setEdit(edit.sent === value ? { text: edit.text, over: value } : null);
  }
  const text = edit?.text ?? value;

  const search = useRef(onSearch);
  useEffect(() => {
    search.current = onSearch;
  });
  const send = useCallback((sent: string) => {
    setEdit((before) => before && { ...before, sent });
    search.current(sent);
  }, []);
  const typed = edit?.text;
  useEffect(() => {
    if (typed === undefined) return;
    const timer = setTimeout(() => send(typed), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [typed, send]);

  /** The focus goes to the first row as soon as the rows are those of the text. */
  const isEntering = useRef(false);
  const enter = () => {
    if (!isEntering.current || edit || !isReady) return;
    isEntering.current = false;
    firstRow(input.current?.closest('section') ?? null)?.focus();
  };
  useEffect(enter);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') {
      // The browser would empty the field.
      event.preventDefault();
      input.current?.blur();
    } else if (event.key === 'Enter' || event.key === 'ArrowDown') {
      event.preventDefault();
      isEntering.current = true;
      if (edit) send(edit.text);
      else enter();
    }
  };

  useHotkeys({
    '/': (event) => {
      event.preventDefault();
      input.current?.select();
      input.current?.focus();
    },
  });

  return (
    <div className={classes.box}>
      <input
        ref={input}
        type="search"
        className={classes.input}
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={({ target }) => {
          isEntering.current = false;
          setEdit({ ...edit, text: target.value, over: value });
        }}
        onKeyDown={onKeyDown}
      />
      <kbd aria-hidden="true">/</kbd>
    </div>
  );
}
