import type { ReactNode } from 'react';
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

/** One field of the order. An empty field is shown too, because missing data matters. */
export function Fact({ label, text, copied = false, children }: FactProps) {
  const isEmpty = children === undefined && (text === null || text === undefined || text === '');
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

/** Fields under a heading. */
export function FactSection({ title, children }: FactSectionProps) {
  return (
    <Section title={title}>
      <FactList>{children}</FactList>
    </Section>
  );
}

export function Section({ title, children }: FactSectionProps) {
  return (
    <section className={classes.section}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
