import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useState } from 'react';
import { useForm, type FieldValues, type Path, type PathValue } from 'react-hook-form';
import type { ZodMiniType } from 'zod/mini';
import { draftOf, keepDraft } from '@/session/drafts';

interface DraftedFormOptions<Fields> {
  kind: 'chargeback' | 'transaction';
  staffId: number;
  orderId: number;
  schema: ZodMiniType<Fields, Fields>;
  /** What the server has. It may come anew at any time: what was typed here stays. */
  saved: Fields;
  /** Tells one state of `saved` from another. */
  version?: string;
}

interface Draft<Fields> {
  /** The fields that differ from what was saved. */
  typed: Partial<Fields>;
  /** What they were typed over. */
  version: string | undefined;
}

/** A form over something saved, of which nothing typed is lost until it is saved as well. */
export function useDraftedForm<Fields extends FieldValues>(options: DraftedFormOptions<Fields>) {
  const { kind, staffId, orderId, schema, saved, version } = options;
  const [draft] = useState(() => draftOf<Draft<Fields>>(kind, staffId, orderId));
  const [base, setBase] = useState(draft === null ? version : draft.version);
  const [isRestored, setRestored] = useState(draft === null);
  const form = useForm<Fields>({
    mode: 'all',
    resolver: zodResolver(schema),
    values: saved,
    resetOptions: { keepDirtyValues: true },
  });
  const { formState, reset, setValue, subscribe } = form;
  const { dirtyFields, isSubmitting } = formState;
  // `isDirty` forgets what is kept when the saved values come anew.
  const isBegun = Object.keys(dirtyFields).length > 0;
  if (isBegun && !isRestored) setRestored(true);
  // A form in which nothing is typed stands over whatever is newest.
  if (isRestored && !isBegun && base !== version) setBase(version);

  useEffect(() => {
    for (const [name, value] of Object.entries(draft?.typed ?? {})) {
      const typed = value as PathValue<Fields, Path<Fields>>;
      setValue(name as Path<Fields>, typed, { shouldDirty: true, shouldValidate: true });
    }
  }, [draft, setValue]);

  // After the restoring, whose every step would be kept as if it were all.
  useEffect(
    () =>
      subscribe({
        formState: { values: true, dirtyFields: true },
        callback: ({ values, dirtyFields = {} }) => {
          const typed = Object.entries(values).filter(([name]) => name in dirtyFields);
          const begun = { typed: Object.fromEntries(typed), version: base };
          keepDraft(kind, staffId, orderId, typed.length > 0 ? begun : null);
        },
      }),
    [subscribe, kind, staffId, orderId, base],
  );

  return {
    ...form,
    /** Somebody else saved since this form was begun. */
    isOutrun: isBegun && !isSubmitting && base !== version,
    /** Goes back to what is saved, or to `fields` that were just saved. */
    settle: (fields: Fields = saved) => {
      keepDraft(kind, staffId, orderId, null);
      reset(fields, { keepDirtyValues: false });
    },
  };
}
