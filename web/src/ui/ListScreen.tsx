import type { ReactNode } from 'react';
import classes from './ListScreen.module.css';

interface ListScreenProps {
  title: string;
  /** Whether it stands on a screen that has a heading of its own. */
  part?: boolean;
  /** What stands before the heading, such as a Back button. */
  before?: ReactNode;
  /** How much there is, in words. */
  summary?: ReactNode;
  /** What stands at the end of the heading's line. */
  action?: ReactNode;
  /** Whether the rows are on their way. */
  busy: boolean;
  /** What the rows are chosen with: search, filters, actions. */
  bar: ReactNode;
  /** The table, and what stands below it. */
  children: ReactNode;
}

/** A titled list: its bar above, its rows below. */
export function ListScreen(props: ListScreenProps) {
  const { title, part = false, before, summary, action, busy, bar, children } = props;
  const Heading = part ? 'h2' : 'h1';
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
      <div className={`card ${classes.card}`} aria-busy={busy}>
        <div className={classes.bar}>{bar}</div>
        {children}
      </div>
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

interface ListBelowProps {
  role?: 'alert';
  children: ReactNode;
}

/** A line below the rows. */
export function ListBelow({ role, children }: ListBelowProps) {
  return (
    <p className={classes.below} role={role}>
      {children}
    </p>
  );
}
