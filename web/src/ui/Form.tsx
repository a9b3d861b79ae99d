import {
  createContext,
  useContext,
  type ComponentProps,
  type ReactNode,
  type SyntheticEvent,
} from 'react';
import { Button, type ButtonProps } from './Button';
import { Card } from './Card';
import classes from './Form.module.css';

/** The draft that a form was filled from. */
export interface RestoredDraft {
  /** The fields that have to be entered again, in sentences. */
  again: readonly string[];
  onDiscard: () => void;
}

export interface FormProps extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  /** Draws the form as a card. */
  card?: boolean;
  /**
   * True while a change is being sent; another submission is ignored meanwhile. Forms that only ask
   * for data leave it out.
   */
  busy?: boolean;
  /** Null: the form was not filled from a draft. */
  restored?: RestoredDraft | null;
  onSubmit: (event: SyntheticEvent) => unknown;
}

const Busy = createContext(false);

/** A form, which validates by itself and is submitted once at a time. */
export function Form({ card, busy = false, restored, onSubmit, children, ...form }: FormProps) {
  const all: ComponentProps<'form'> = {
    ...form,
    'aria-busy': busy,
    noValidate: true,
    onSubmit: (event) => {
      event.preventDefault();
      if (!busy) void onSubmit(event);
    },
    children: (
      <Busy value={busy}>
        {restored && <RestoredNote {...restored} />}
        {children}
      </Busy>
    ),
  };
  return card ? <Card as="form" {...all} /> : <form {...all} />;
}

/**
 * Focuses a field at once. react-hook-form's own way waits for a timer, and until then what is typed would be taken for keys of the app.
 */
export function focusField(form: HTMLFormElement | null, name: string): void {
  const field = form?.elements.namedItem(name);
  if (field instanceof HTMLElement) field.focus();
}

/** The button that sends its form, and is busy with it. */
export function SubmitButton({ kind = 'primary', ...button }: ButtonProps) {
  return <Button {...button} type="submit" kind={kind} busy={useContext(Busy)} />;
}

/** The line of a form that was filled from a draft. */
export function RestoredNote({ again, onDiscard }: RestoredDraft) {
  return (
    <span className={classes.restored}>
      {['Restored what you had typed.', ...again].join(' ')}{' '}
      <Button small onClick={onDiscard}>
        Discard
      </Button>
    </span>
  );
}

interface RowFormProps extends Omit<FormProps, 'className'> {
  'aria-label': string;
  buttons: ReactNode;
}

/** Fields side by side where there is room, with their buttons at the end. */
export function RowForm({ card, buttons, children, ...form }: RowFormProps) {
  return (
    <Form {...form} card={card ?? false} className={classes.form} data-card={card || undefined}>
      {children}
      <p>{buttons}</p>
    </Form>
  );
}
