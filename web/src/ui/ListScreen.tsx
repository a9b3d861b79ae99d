import type { ReactNode } from 'react';
import classes from './ListScreen.module.css';
import { Card } from './Card';

interface ListScreenProps {
  title: string;
  /** The screen around it has its own heading. */
  nested?: boolean;
  /** Shown before the heading, such as a Back button. */
  before?: ReactNode;
  /** The number of rows, in words. */
  summary?: ReactNode;
  /** Shown at the end of the heading's line. */
  action?: ReactNode;
  /** The rows are loading. */
  busy: boolean;
  /** The controls of the list: search, filters, actions. */
  bar: ReactNode;
  /** The table, and the notes below it. */
  children: ReactNode;
}

/** A titled list: its bar above, its rows below. */
export function ListScreen(props: ListScreenProps) {
  const { title, nested = false, before, summary, action, busy, bar, children } = props;
  const Heading = nested ? 'h2' : 'h1';
  return (
    <section aria-labelledby="list-title">
      <header className={classes.head}>
        {before}
        <Heading id="list-title">{title}</Heading>
        <p className={classes.summary} role="status">
          {summary}
        </p>
        {action}
      </header>
      <Card className={classes.card} aria-busy={busy}>
        <div className={classes.bar}>{bar}</div>
        {children}
      </Card>
    </section>
  );
}

/** The heading of a screen that is not a list. */
export function ScreenTitle({ children }: { children: ReactNode }) {
  return (
    <header className={classes.head}>
      <h1>{children}</h1>
    </header>
  );
}

/** A line below the rows. */
export function TableNote({ role, children }: { role?: 'alert'; children: ReactNode }) {
  return (
    <p className={classes.below} role={role}>
      {children}
    </p>
  );
}
