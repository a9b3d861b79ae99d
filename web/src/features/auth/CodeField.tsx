import type { ComponentProps } from 'react';
import { Field } from '@/ui/Field';

interface CodeFieldProps extends Omit<ComponentProps<typeof Field>, 'label'> {
  /** The field takes a recovery code instead of the app's. */
  isRecovery?: boolean;
}

/** The field of a code. Phones offer digits, and password managers fill the app's code in. */
export function CodeField({ isRecovery = false, ...field }: CodeFieldProps) {
  return (
    <Field
      {...field}
      label={isRecovery ? 'Recovery code' : 'Code of your authenticator app'}
      placeholder={isRecovery ? 'abcde-fghij' : '123 456'}
      autoComplete={isRecovery ? 'off' : 'one-time-code'}
      inputMode={isRecovery ? 'text' : 'numeric'}
      autoCapitalize="none"
      spellCheck={false}
    />
  );
}
