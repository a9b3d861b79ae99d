import type { ComponentProps, ReactNode } from 'react';
import { Card } from './Card';
import classes from './Form.module.css';

interface FormProps {
  label: string;
  /** Draws the form as a card. */
  card?: boolean;
  /**
   * True while a change is being sent; another submission is ignored meanwhile. Forms that only ask
   * for data leave it out.
   */
  busy?: boolean;
  onSubmit: (event: React.SyntheticEvent) => Promise<void>;
  /** The fields, side by side where there is room. */
  children: ReactNode;
  /** The buttons. */
  buttons: ReactNode;
}

/** Fields in a row, with their buttons at its end. */
export function Form({ label, card, busy = false, onSubmit, children, buttons }: FormProps) {
  const form: ComponentProps<'form'> = {
    className: classes.form,
    'aria-label': label,
    'aria-busy': busy,
    noValidate: true,
    onSubmit: (event) => {
      event.preventDefault();
      if (!busy) void onSubmit(event);
    },
    children: (
      <>
        {children}
        <p>{buttons}</p>
      </>
    ),
  };
  return card ? <Card as="form" {...form} data-card /> : <form {...form} />;
}
