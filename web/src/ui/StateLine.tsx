import type { ComponentProps } from 'react';
import classes from './StateLine.module.css';

interface StateLineProps extends Omit<ComponentProps<'section'>, 'className'> {
  isWarning?: boolean;
}

/** The state of a part of the installation, in lines; a warning stands out. */
export function StateLine({ isWarning = false, ...section }: StateLineProps) {
  return <section {...section} className={classes.line} data-warning={isWarning || undefined} />;
}
