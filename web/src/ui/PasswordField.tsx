import { useState } from 'react';
import { Field, FieldButton, type FieldProps } from './Field';

/** A labelled password, hidden until one asks to see it. */
export function PasswordField(field: Omit<FieldProps, 'type' | 'inside'>) {
  const [isShown, setShown] = useState(false);
  return (
    <Field
      {...field}
      type={isShown ? 'text' : 'password'}
      inside={
        <FieldButton
          aria-label="Show password"
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
        >
          <Eye isOpen={isShown} />
        </FieldButton>
      }
    />
  );
}

function Eye({ isOpen }: { isOpen: boolean }) {
  return (
    <svg width="20" height="20" viewBox="0 0 20 20" fill="none" stroke="currentColor" aria-hidden>
      <g strokeWidth="1.5" strokeLinecap="round">
        <path d="M1.5 10C5 3.6 15 3.6 18.5 10C15 16.4 5 16.4 1.5 10Z" />
        <circle cx="10" cy="10" r="2.6" />
        {!isOpen && <path d="M3.5 16.5l13-13" />}
      </g>
    </svg>
  );
}
