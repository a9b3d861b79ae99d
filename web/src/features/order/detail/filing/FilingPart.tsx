import type { ReactNode } from 'react';
import { Card } from '@/ui/Card';
import classes from './filing.module.css';

interface FilingPartProps {
  id: string;
  className?: string | undefined;
  /** Its place in the order of the work. */
  number?: number | undefined;
  title: string;
  /** Shown at the end of the heading's line. */
  beside?: ReactNode;
  children: ReactNode;
}

/** A part of the filing under its heading. */
export function FilingPart({ id, className, number, title, beside, children }: FilingPartProps) {
  return (
    <Card as="section" className={className} aria-labelledby={id}>
      <div className={classes.head}>
        <h2 id={id}>
          {number && <span className={classes.number}>{number}</span>} {title}
        </h2>
        {beside}
      </div>
      {children}
    </Card>
  );
}
