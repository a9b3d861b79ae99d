import type { ReactNode } from 'react';
import classes from './Row.module.css';

/** Buttons side by side where there is room. */
export function Row({ children }: { children: ReactNode }) {
  return <div className={classes.row}>{children}</div>;
}
