import { useId, type ComponentProps, type ReactNode } from 'react';
import classes from './Field.module.css';

export interface FieldProps extends ComponentProps<'input'> {
  label: string;
  /** What is wrong with the value. */
  error?: string;
  /** What to know about a value that is right. */
  hint?: ReactNode;
  /** A button inside the field, at its end. */
  inside?: ReactNode;
}

/** A labelled line of text with its error or hint under it. */
export function Field({ label, error, hint, inside, ...input }: FieldProps) {
  const id = useId();
  const noteId = useId();
  const note = error ?? hint;
  return (
    <div className={classes.field}>
      <label htmlFor={id} className={classes.label}>
        {label}
      </label>
      <div className={classes.line}>
        <input
          {...input}
          id={id}
          className={classes.input}
          aria-invalid={error !== undefined}
          aria-describedby={note ? noteId : undefined}
        />
        {inside}
      </div>
      {note && (
        <FieldNote id={noteId} isError={error !== undefined}>
          {note}
        </FieldNote>
      )}
    </div>
  );
}

interface TextFieldProps extends ComponentProps<'textarea'> {
  label: string;
  error?: string;
}

/** A labelled text of many lines with its error under it. */
export function TextField({ label, error, ...textarea }: TextFieldProps) {
  const id = useId();
  const noteId = useId();
  return (
    <div className={classes.field}>
      <label htmlFor={id} className={classes.label}>
        {label}
      </label>
      <textarea
        {...textarea}
        id={id}
        className={classes.input}
        aria-invalid={error !== undefined}
        aria-describedby={error ? noteId : undefined}
      />
      {error && (
        <FieldNote id={noteId} isError>
          {error}
        </FieldNote>
      )}
    </div>
  );
}

interface SelectFieldProps extends ComponentProps<'select'> {
  label: string;
  error?: string;
  hint?: ReactNode;
}

/** A labelled choice of one with its error or hint under it. */
export function SelectField({ label, error, hint, ...select }: SelectFieldProps) {
  const id = useId();
  const noteId = useId();
  const note = error ?? hint;
  return (
    <div className={classes.field}>
      <label htmlFor={id} className={classes.label}>
        {label}
      </label>
      <select
        {...select}
        id={id}
        className={classes.input}
        aria-invalid={error !== undefined}
        aria-describedby={note ? noteId : undefined}
      />
      {note && (
        <FieldNote id={noteId} isError={error !== undefined}>
          {note}
        </FieldNote>
      )}
    </div>
  );
}

interface FieldNoteProps {
  id: string;
  isError: boolean;
  children: ReactNode;
}

/** The line under a field. */
export function FieldNote({ id, isError, children }: FieldNoteProps) {
  return (
    <p id={id} className={classes.note} data-error={isError || undefined}>
      {children}
    </p>
  );
}
