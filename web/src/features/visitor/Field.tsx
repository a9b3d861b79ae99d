import { type ReactNode, useId } from 'react';

interface FieldProps {
  label: string;
  hint: string;
  error: string;
  children: (described: {
    id: string;
    'aria-describedby': string;
    'aria-invalid': boolean;
  }) => ReactNode;
}

/** A labelled input, with its hint or its error below. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-describedby': `${id}-hint`, 'aria-invalid': error !== '' })}
      <span id={`${id}-hint`} className={error ? 'error' : 'hint'}>
        {error || hint}
      </span>
    </div>
  );
}
