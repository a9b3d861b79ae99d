import { useId, type ComponentProps, type ReactNode } from 'react';
import classes from './Field.module.css';

interface FieldShellProps {
  label: string;
  /** For a field whose content says what it is: the label is for screen readers only. */
  labelHidden?: boolean;
  error?: string;
  /** A hint, shown while there is no error. */
  hint?: ReactNode;
  /** Takes the focus when its dialog opens. */
  focusFirst?: boolean;
}

/** The attributes that connect an input with its label and note. */
interface FieldAria {
  id: string;
  className: string | undefined;
  'aria-label': string | undefined;
  'aria-invalid': boolean;
  'aria-describedby': string | undefined;
  'data-autofocus': true | undefined;
}

/** A label above, an error or hint below. */
function FieldShell({
  label,
  labelHidden,
  error,
  hint,
  focusFirst,
  children,
}: FieldShellProps & { children: (aria: FieldAria) => ReactNode }) {
  const id = useId();
  const noteId = useId();
  const note = error ?? hint;
  const isError = error !== undefined;
  return (
    <div className={classes.field}>
      {!labelHidden && (
        <label htmlFor={id} className={classes.label}>
          {label}
        </label>
      )}
      {children({
        id,
        className: classes.input,
        'aria-label': labelHidden ? label : undefined,
        'aria-invalid': isError,
        'aria-describedby': note ? noteId : undefined,
        'data-autofocus': focusFirst || undefined,
      })}
      {note && (
        <FieldNote id={noteId} isError={isError}>
          {note}
        </FieldNote>
      )}
    </div>
  );
}

export interface FieldProps extends FieldShellProps, ComponentProps<'input'> {
  /** A button inside the field, at its end. */
  inside?: ReactNode;
}

/** A labelled line of text. Autocomplete is off by default, because earlier entries are about other people. */
export function Field(props: FieldProps) {
  const { label, error, hint, focusFirst, inside, autoComplete = 'off', ...input } = props;
  return (
    <FieldShell label={label} error={error} hint={hint} focusFirst={focusFirst}>
      {(aria) => (
        <div className={classes.line}>
          <input {...input} {...aria} autoComplete={autoComplete} />
          {inside}
        </div>
      )}
    </FieldShell>
  );
}

/** A labelled text of many lines. */
export function TextField({
  label,
  error,
  hint,
  focusFirst,
  ...textarea
}: FieldShellProps & ComponentProps<'textarea'>) {
  return (
    <FieldShell label={label} error={error} hint={hint} focusFirst={focusFirst}>
      {(aria) => <textarea {...textarea} {...aria} />}
    </FieldShell>
  );
}

interface SelectFieldProps extends FieldShellProps, ComponentProps<'select'> {
  /** The choices, after those that are its children. */
  options?: readonly (readonly [value: string | number, label: string])[];
}

export function SelectField(props: SelectFieldProps) {
  const { label, labelHidden, error, hint, focusFirst, options = [], children, ...select } = props;
  const shell = { label, labelHidden, error, hint, focusFirst };
  return (
    <FieldShell {...shell}>
      {(aria) => (
        <select {...select} {...aria}>
          {children}
          {options.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </FieldShell>
  );
}

/** A button inside a field, at its end. */
export function FieldButton(button: Omit<ComponentProps<'button'>, 'type' | 'className'>) {
  return <button {...button} type="button" className={classes.inside} />;
}

interface FieldNoteProps {
  id: string;
  isError: boolean;
  children: ReactNode;
}

export function FieldNote({ id, isError, children }: FieldNoteProps) {
  return (
    <p id={id} className={classes.note} data-error={isError || undefined}>
      {children}
    </p>
  );
}
