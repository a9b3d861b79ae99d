import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { messageOf } from '@/api/ApiError';
import { focusField } from '@/ui/Form';

export const oneTimeCode = z.string().check(z.trim(), z.minLength(1, 'Please enter the code'));

/**
 * A form of one field, which takes the focus once it `isShown`. If `send` throws, the field says
 * why.
 */
export function useOneField(
  text: z.ZodMiniType<string, string>,
  send: (typed: string) => Promise<void>,
  isShown = true,
) {
  const [schema] = useState(() => z.object({ typed: text }));
  const element = useRef<HTMLFormElement>(null);
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: zodResolver(schema),
    defaultValues: { typed: '' },
  });
  useEffect(() => {
    if (isShown) focusField(element.current, 'typed');
  }, [isShown]);
  const submit = async ({ typed }: z.infer<typeof schema>) => {
    try {
      await send(typed);
    } catch (error) {
      setError('typed', { message: messageOf(error) }, { shouldFocus: true });
    }
  };
  return {
    form: { ref: element, busy: formState.isSubmitting, onSubmit: handleSubmit(submit) },
    field: { error: formState.errors.typed?.message, ...register('typed') },
  };
}
