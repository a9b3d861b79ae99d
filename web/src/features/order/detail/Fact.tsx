import { Children, isValidElement, useState, type ReactNode } from 'react';
import { CopyButton } from '@/ui/CopyButton';
import { plainDate } from '@/ui/times';
import classes from './Fact.module.css';

interface FactProps {
  label: string;
  /** The stored value, in any script. */
  text?: string | number | null;
  /** Adds a button that copies `text`. */
  copied?: boolean;
  /** Shown in place of `text`. */
  children?: ReactNode;
}

/** Whether there is nothing to show: neither a text nor content. */
const isEmptyText = (text: FactProps['text']) => text === null || text === undefined || text === '';

/** One field of the order. */
export function Fact({ label, text, copied = false, children }: FactProps) {
  const isEmpty = children === undefined && isEmptyText(text);
  return (
    <div className={classes.fact}>
      <dt>{label}</dt>
      <dd className={copied ? classes.copied : undefined}>
        {isEmpty ? <span className={classes.none}>-</span> : (children ?? <bdi>{text}</bdi>)}
        {copied && text ? <CopyButton text={String(text)} what={label} /> : null}
      </dd>
    </div>
  );
}

interface DateFactProps {
  label: string;
  /** YYYY-MM-DD. */
  date: string | null | undefined;
  children?: ReactNode;
}

/** A date without a time, as `DD-MM-YYYY`. */
export function DateFact({ label, date, children }: DateFactProps) {
  if (!date) return <Fact label={label} />;
  return (
    <Fact label={label}>
      <time dateTime={date}>{plainDate(date)}</time> {children}
    </Fact>
  );
}

interface FactSectionProps {
  title: string;
  children: ReactNode;
}

/** A second line of a field. */
export function FactNote({ children }: { children: ReactNode }) {
  return <div className={classes.aside}>{children}</div>;
}

/** A list of fields. */
export function FactList({ label, children }: { label?: string; children: ReactNode }) {
  return (
    <dl className={classes.facts} aria-label={label}>
      {children}
    </dl>
  );
}

/** Whether this is a field without a value. */
function isEmptyFact(node: ReactNode): boolean {
  if (!isValidElement(node)) return false;
  const props = node.props as Partial<FactProps & DateFactProps>;
  if (node.type === Fact) return props.children === undefined && isEmptyText(props.text);
  return node.type === DateFact && !props.date;
}

/** Fields under a heading. The empty ones are counted, because missing data matters, and shown on demand. */
export function FactSection({ title, children }: FactSectionProps) {
  const [isWhole, setWhole] = useState(false);
  const all = Children.toArray(children);
  const shown = isWhole ? all : all.filter((fact) => !isEmptyFact(fact));
  const empty = all.filter(isEmptyFact).length;
  return (
    <Section title={title}>
      {shown.length > 0 && <FactList>{shown}</FactList>}
      {empty > 0 && (
        <button
          type="button"
          className={classes.more}
          aria-expanded={isWhole}
          aria-label={`${title}: ${emptyText(empty)}, ${isWhole ? 'hide' : 'show'}`}
          onClick={() => setWhole(!isWhole)}
        >
          {emptyText(empty)}, {isWhole ? 'hide' : 'show'}
        </button>
      )}
    </Section>
  );
}

const emptyText = (fields: number) => (fields === 1 ? '1 field empty' : `${fields} fields empty`);

export function Section({ title, children }: FactSectionProps) {
  return (
    <section className={classes.section}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
