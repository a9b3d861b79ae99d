import type { ComponentProps } from 'react';
import classes from './Checkbox.module.css';

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type' | 'className' | 'style'> {
  label: string;
}

/** A checkbox with its label at its end, which takes the click as well. */
export function Checkbox({ label, ...input }: CheckboxProps) {
  return (
    <label className={classes.check}>
      <input {...input} type="checkbox" /> {label}
    </label>
  );
}
