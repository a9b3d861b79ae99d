import type { ReactNode } from 'react';
import classes from './HistoryParts.module.css';

/** A second line in a cell, or a line below the rows. */
export function HistoryNote({ children }: { children: ReactNode }) {
  return <p className={classes.note}>{children}</p>;
}

/** The details that a row opens. */
export function HistoryDetails({ children }: { children: ReactNode }) {
  return <div className={classes.details}>{children}</div>;
}

interface HistoryFactsProps {
  /** Below each other; else side by side. */
  stacked?: boolean;
  children: ReactNode;
}

/** Names with their values. */
export function HistoryFacts({ stacked, children }: HistoryFactsProps) {
  return (
    <dl className={classes.facts} data-stacked={stacked || undefined}>
      {children}
    </dl>
  );
}

interface HistoryFactProps {
  name: string;
  /** The fact is emphasised. */
  isSet?: boolean;
  children: ReactNode;
}

export function HistoryFact({ name, isSet, children }: HistoryFactProps) {
  return (
    <div data-set={isSet || undefined}>
      <dt>{name}</dt>
      <dd dir="auto">{children}</dd>
    </div>
  );
}
