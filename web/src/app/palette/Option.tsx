import { useEffect, useRef, type MouseEvent } from 'react';
import { StatusWord } from '@/features/order/StatusChip';
import { Icon } from '@/ui/Icon';
import { formatCount } from '@/ui/numbers';
import { useShortcutSwitch } from '@/ui/storedSwitch';
import type { Entry } from './entries';
import classes from './Option.module.css';

interface OptionProps {
  id: string;
  entry: Entry;
  /** The typed text; it is marked where the entry has it. */
  typed: string;
  isActive: boolean;
  /** The pointer moves over it. */
  onPoint: () => void;
  onOpen: (event: MouseEvent) => void;
}

/** An entry of the palette. The focus stays in the field: it is chosen by `isActive`. */
export function Option({ id, entry, typed, isActive, onPoint, onOpen }: OptionProps) {
  const option = useRef<HTMLButtonElement>(null);
  const hasKeys = useShortcutSwitch((state) => state.on);
  const { title, note, keys, count, isDanger, order, folder, place } = entry;
  useEffect(() => {
    if (isActive) option.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  return (
    <button
      ref={option}
      id={id}
      type="button"
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      className={classes.option}
      onPointerDown={(event) => event.preventDefault()}
      onPointerMove={isActive ? undefined : onPoint}
      onClick={onOpen}
    >
      <Icon>{iconOf(entry)}</Icon>
      <span className={classes.title} data-danger={isDanger || undefined} data-order={order && ''}>
        <Marked text={title} typed={typed} />
      </span>
      {note && (
        <span className={classes.note} dir={order && 'auto'}>
          <Marked text={note} typed={order ? typed : ''} />
        </span>
      )}
      <span className={classes.end}>
        {order && (
          <>
            <span className={classes.email}>
              <Marked text={place ?? order.contact_email_address} typed={typed} />
            </span>
            <StatusWord status={order.process_status} word={folder} />
          </>
        )}
        {count !== undefined && <span className={classes.count}>{formatCount(count)}</span>}
        {hasKeys && keys?.map((key) => <kbd key={key}>{key}</kbd>)}
      </span>
    </button>
  );
}

/** The text with what is typed marked once, at the beginning of a word where it can be. */
function Marked({ text, typed }: { text: string; typed: string }) {
  if (typed === '') return text;
  const [within, sought] = [text.toLowerCase(), typed.toLowerCase()];
  const atWord = ` ${within}`.indexOf(` ${sought}`);
  const at = atWord < 0 ? within.indexOf(sought) : atWord;
  if (at < 0) return text;
  const end = at + typed.length;
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, end)}</mark>
      {text.slice(end)}
    </>
  );
}

function iconOf({ order, path }: Entry) {
  if (order) return <path d="M4 2h5l3 3v9H4zM9 2v3h3" />;
  if (path !== undefined) return <path d="M2 4h4l1.5 1.5H14V13H2z" />;
  return <path d="M9 1.5L4 9h3.5L7 14.5 12 7H8.5z" />;
}
