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
  /** The saved values. They may be refetched at any time; edited fields keep their values. */
  saved: Fields;
  /** Identifies the state of `saved`. */
  version?: string;
}

interface Draft<Fields> {
  /** The edited fields. */
  typed: Partial<Fields>;
  /** The version that was edited. */
  version: string | undefined;
}

/** A form over saved values. Its draft is kept until it is saved. */
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
  // `isDirty` is reset when the saved values are refetched; `dirtyFields` is not.
  const isBegun = Object.keys(dirtyFields).length > 0;
  if (isBegun && !isRestored) setRestored(true);
  // A form without edits follows the newest version.
  if (isRestored && !isBegun && base !== version) setBase(version);

  useEffect(() => {
    for (const [name, value] of Object.entries(draft?.typed ?? {})) {
      const typed = value as PathValue<Fields, Path<Fields>>;
      setValue(name as Path<Fields>, typed, { shouldDirty: true, shouldValidate: true });
    }
  }, [draft, setValue]);

  // Subscribed after the draft is restored: each restored field would overwrite the draft.
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
    /** Another member saved since this form was edited. */
    hasConflict: isBegun && !isSubmitting && base !== version,
    /** Resets the form to the saved values, or to `fields` that were just saved. */
    resetTo: (fields: Fields = saved) => {
      keepDraft(kind, staffId, orderId, null);
      reset(fields, { keepDirtyValues: false });
    },
  };
}
