import { useId, type ComponentProps, type ReactNode } from 'react';
import classes from './Field.module.css';

interface FrameProps {
  label: string;
  /** What is wrong with the value. */
  error?: string;
  /** What to know about a value that is right. */
  hint?: ReactNode;
}

/** What ties an input to its label and its note. */
interface Ties {
  id: string;
  className: string | undefined;
  'aria-invalid': boolean;
  'aria-describedby': string | undefined;
}

/** A label above, an error or hint below. */
function Frame({
  label,
  error,
  hint,
  children,
}: FrameProps & { children: (ties: Ties) => ReactNode }) {
  const id = useId();
  const noteId = useId();
  const note = error ?? hint;
  const isError = error !== undefined;
  return (
    <div className={classes.field}>
      <label htmlFor={id} className={classes.label}>
        {label}
      </label>
      {children({
        id,
        className: classes.input,
        'aria-invalid': isError,
        'aria-describedby': note ? noteId : undefined,
      })}
      {note && (
        <FieldNote id={noteId} isError={isError}>
          {note}
        </FieldNote>
      )}
    </div>
  );
}

export interface FieldProps extends FrameProps, ComponentProps<'input'> {
  /** A button inside the field, at its end. */
  inside?: ReactNode;
}

/** A labelled line of text. */
export function Field({ label, error, hint, inside, ...input }: FieldProps) {
  return (
    <Frame label={label} error={error} hint={hint}>
      {(ties) => (
        <div className={classes.line}>
          <input {...input} {...ties} />
          {inside}
        </div>
      )}
    </Frame>
  );
}

/** A labelled text of many lines. */
export function TextField({
  label,
  error,
  hint,
  ...textarea
}: FrameProps & ComponentProps<'textarea'>) {
  return (
    <Frame label={label} error={error} hint={hint}>
      {(ties) => <textarea {...textarea} {...ties} />}
    </Frame>
  );
}

/** A labelled choice of one. */
export function SelectField({
  label,
  error,
  hint,
  ...select
}: FrameProps & ComponentProps<'select'>) {
  return (
    <Frame label={label} error={error} hint={hint}>
      {(ties) => <select {...select} {...ties} />}
    </Frame>
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
