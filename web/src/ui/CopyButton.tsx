import { copy } from './copy';
import classes from './CopyButton.module.css';

interface CopyButtonProps {
  text: string;
  /** The name of the copied text, such as "Order id". */
  what: string;
}

/** A small button that puts `text` into the clipboard. */
export function CopyButton({ text, what }: CopyButtonProps) {
  return (
    <button
      type="button"
      className={classes.copy}
      aria-label={`Copy ${what.toLowerCase()}`}
      title={`Copy ${what.toLowerCase()}`}
      onClick={() => void copy(text, `${what} copied`)}
    >
      <svg width="14" height="14" viewBox="0 0 16 16" fill="none" stroke="currentColor" aria-hidden>
        <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" strokeWidth="1.4" />
        <path
          d="M3.5 10.5h-.4c-.6 0-1.1-.5-1.1-1.1V3.6C2 2.7 2.7 2 3.6 2h5.8c.6 0 1.1.5 1.1 1.1v.4"
          strokeWidth="1.4"
        />
      </svg>
    </button>
  );
}
