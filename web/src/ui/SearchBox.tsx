import { useEffect, useRef, useState } from 'react';
import classes from './SearchBox.module.css';
import { useHotkeys } from './useHotkeys';

const DEBOUNCE_MS = 500;

interface SearchBoxProps {
  label: string;
  value: string;
  onSearch: (text: string) => void;
}

/** A search field that waits until typing pauses. `/` leads into it, Escape out. */
export function SearchBox({ label, value, onSearch }: SearchBoxProps) {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(value);
  const [sent, setSent] = useState(value);
  const [lastValue, setLastValue] = useState(value);
  if (value !== lastValue) {
    setLastValue(value);
    // The result of our own search must not overwrite newer input.
    if (value !== sent) setText(value);
  }

  const search = useRef(onSearch);
  useEffect(() => {
    search.current = onSearch;
  });
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => {
      setSent(text);
      search.current(text);
    }, DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text, value]);

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
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') input.current?.blur();
        }}
      />
      <kbd aria-hidden="true">/</kbd>
    </div>
  );
}
