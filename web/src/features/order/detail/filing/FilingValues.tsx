import { Fragment, useEffect, useRef, useState, type RefObject } from 'react';
import type { FilingValue, OrderFiling } from '@/api/types';
import { HiddenText } from '@/ui/HiddenText';
import { putIntoClipboard } from '@/ui/copy';
import { useHotkeys } from '@/ui/useHotkeys';
import classes from './filing.module.css';
import { FilingPart } from './FilingPart';
import { fieldAfter, fieldBeside, progressOf } from './steps';

interface FilingValuesProps {
  filing: OrderFiling;
  copied: readonly string[];
  onCopied: (fields: readonly string[]) => void;
}

/** The values in the portal's order and spelling. One key copies a value and steps on. */
export function FilingValues({ filing, copied, onCopied }: FilingValuesProps) {
  const values = filing.sections.flatMap((section) => section.values);
  const [chosen, setCurrent] = useState<string | null>(null);
  const current = chosen ?? fieldAfter('', values, copied);
  // Neither the screen nor the focus moves before the first step.
  const hasStepped = useRef(false);
  const [said, setSaid] = useState('');
  const { done, all, missing } = progressOf(values, copied);

  const copy = async ({ field, label, value }: FilingValue) => {
    if (!value || !(await putIntoClipboard(value))) return;
    const now: readonly string[] = copied.includes(field) ? copied : [...copied, field];
    const next = fieldAfter(field, values, now);
    onCopied(now);
    hasStepped.current = true;
    setCurrent(next);
    const nextLabel = values.find((one) => one.field === next)?.label;
    setSaid(`${label} copied. ${nextLabel ? `Next: ${nextLabel}` : 'All values are copied'}`);
  };
  const step = (by: 1 | -1) => {
    hasStepped.current = true;
    setCurrent(fieldBeside(current, by, values));
  };
  useHotkeys(
    {
      c: () => {
        const value = values.find((one) => one.field === current);
        if (value) void copy(value);
      },
      j: () => step(1),
      k: () => step(-1),
    },
    'view',
  );
  const numbers = new Map(values.map(({ field }, index) => [field, index + 1]));
  return (
    <FilingPart
      id="filing-values"
      className={classes.values}
      number={1}
      title="Copy the values, in the portal’s order"
      beside={
        <span className={classes.soft}>
          {done} of {all} copied
          {missing > 0 && ` · ${missing} not in the order`}
        </span>
      }
    >
      <progress aria-label="Copied values" value={done} max={Math.max(all, 1)} />
      <div>
        {filing.sections.map((section) => (
          <Fragment key={section.title}>
            <h3>{section.title}</h3>
            <ol>
              {section.values.map((value) => (
                <Value
                  key={value.field}
                  number={numbers.get(value.field)}
                  value={value}
                  isCopied={copied.includes(value.field)}
                  isCurrent={value.field === current}
                  follows={hasStepped}
                  onCopy={() => void copy(value)}
                />
              ))}
            </ol>
          </Fragment>
        ))}
      </div>
      <p className={classes.foot}>
        <kbd>c</kbd> copies and steps on, <kbd>j</kbd> and <kbd>k</kbd> step.
        {filing.form_source
          ? ` Order of the form: ${filing.form_source}.`
          : ' The field order may differ from the portal’s.'}
      </p>
      <HiddenText role="status">{said}</HiddenText>
    </FilingPart>
  );
}

interface ValueProps {
  number: number | undefined;
  value: FilingValue;
  isCopied: boolean;
  isCurrent: boolean;
  /** The screen and the focus follow the current value. */
  follows: RefObject<boolean>;
  onCopy: () => void;
}

/** A value as a row. */
function Value({ number, value, isCopied, isCurrent, follows, onCopy }: ValueProps) {
  const { label, value: text, note } = value;
  const again = isCopied ? 'copy again' : 'copy and step on';
  const said = isCurrent ? again : isCopied ? 'copied' : 'copy';
  const row = useRef<HTMLLIElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isCurrent || !follows.current) return;
    row.current?.scrollIntoView({ block: 'nearest' });
    // The browser may copy late, and a field that is typed into by then keeps the focus.
    if (document.activeElement?.matches('input, select, textarea')) return;
    button.current?.focus({ preventScroll: true });
  }, [isCurrent, follows]);
  return (
    <li ref={row} aria-current={isCurrent ? 'step' : undefined} data-copied={isCopied || undefined}>
      <span className={classes.place} aria-hidden="true">
        {number}
      </span>
      <span className={classes.label}>{label}</span>
      <span className={classes.value}>
        {text ? (
          <bdi translate="no">{text}</bdi>
        ) : (
          <span className={classes.soft}>not in the order</span>
        )}
        {note && <small>{note}</small>}
      </span>
      {text && (
        <button ref={button} type="button" onClick={onCopy}>
          {!isCurrent && isCopied && <span aria-hidden="true">✓ </span>}
          {said}
          <HiddenText>: {label}</HiddenText>
          {isCurrent && (
            <>
              {' '}
              <kbd aria-hidden="true">c</kbd>
            </>
          )}
        </button>
      )}
    </li>
  );
}
