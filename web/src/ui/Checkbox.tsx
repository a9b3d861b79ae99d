import type { ComponentProps } from 'react';
import classes from './Checkbox.module.css';

interface CheckboxProps extends Omit<
  ComponentProps<'input'>,
  'type' | 'className' | 'style' | 'onClick'
> {
  label: string;
  /** It keeps its state and the focus. */
  readOnly?: boolean;
}

/** A checkbox with its label at its end, which takes the click as well. */
export function Checkbox({ label, title, readOnly = false, ...input }: CheckboxProps) {
  return (
    <label className={classes.check} title={title}>
      <input
        {...input}
        type="checkbox"
        aria-readonly={readOnly || undefined}
        onClick={(event) => readOnly && event.preventDefault()}
      />{' '}
      <span>{label}</span>
    </label>
  );
}
