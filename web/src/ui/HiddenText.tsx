import type { ComponentProps } from 'react';
import classes from './HiddenText.module.css';

/** A text for screen readers only. */
export function HiddenText(text: Omit<ComponentProps<'span'>, 'className'>) {
  return <span {...text} className={classes.hidden} />;
}
