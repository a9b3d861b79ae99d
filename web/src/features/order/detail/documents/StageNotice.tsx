import type { ReactNode } from 'react';
import classes from './StageNotice.module.css';

interface StageNoticeProps {
  role?: 'alert' | undefined;
  children: ReactNode;
}

/** A text in place of a file. */
export function StageNotice({ role, children }: StageNoticeProps) {
  return (
    <div className={classes.notice} role={role}>
      {children}
    </div>
  );
}

/** The buttons below the text. */
export function StageButtons({ children }: { children: ReactNode }) {
  return <div className={classes.buttons}>{children}</div>;
}
