import { zodResolver } from '@hookform/resolvers/zod';
import { useCallback, useEffect, useRef, useState } from 'react';
import {
  useForm,
  type FieldValues,
  type Path,
  type PathValue,
  type SubmitHandler,
} from 'react-hook-form';
import type { ZodMiniType } from 'zod/mini';
import { focusField, type RestoredDraft } from '@/ui/Form';
import { draftOf, keepDraft, type DraftName } from './drafts';
import { useMe } from './me';

interface DraftedFormOptions<Fields> {
  name: DraftName;
  /** The order or other object of the form, if there can be several forms of its name. */
  about?: number | string;
  /** Undefined: the server alone checks the fields. */
  schema?: ZodMiniType<Fields, Fields>;
  /** The saved values. They may be refetched at any time; edited fields keep their values. */
  saved: Fields;
  /** Identifies the state of `saved`. */
  version?: string;
  /**
   * The fields that must never be stored, such as passwords and files, each with the sentence that asks for it
   * again. A constant.
   */
  unstored?: Unstored<Fields>;
  mode?: 'all' | 'onSubmit';
}

type Unstored<Fields> = { readonly [Name in keyof Fields]?: string };

interface Draft<Fields> {
  /** The edited fields that may be stored. */
  typed: Partial<Fields>;
  /** The saved values that they replace. */
  replaced: Partial<Fields>;
  /** The version that was edited. */
  version?: string | undefined;
  /** The edited fields that were not stored. */
  lost: readonly (keyof Fields)[];
}

const NOTHING = {};

/** A form over saved values. Its draft is kept for the signed-in member until it is saved or discarded. */
export function useDraftedForm<Fields extends FieldValues>(options: DraftedFormOptions<Fields>) {
  const { name, about = '', schema, saved, version, mode = 'all' } = options;
  const unstored: Unstored<Fields> = options.unstored ?? NOTHING;
  const { id: staffId } = useMe();
  const [draft, setDraft] = useState(() => draftOf<Draft<Fields>>(name, staffId, about));
  const [base, setBase] = useState(draft === null ? version : draft.version);
  const [isApplied, setApplied] = useState(draft === null);
  const element = useRef<HTMLFormElement>(null);
  const form = useForm<Fields>({
    mode,
    ...(schema && { resolver: zodResolver(schema) }),
    values: saved,
    resetOptions: { keepDirtyValues: true },
  });
  const { formState, handleSubmit, register, reset, setValue, subscribe } = form;
  const { dirtyFields, errors, isSubmitting } = formState;
  // `isDirty` is reset when the saved values are refetched; `dirtyFields` is not.
  const isBegun = Object.keys(dirtyFields).length > 0;
  if (isBegun && !isApplied) setApplied(true);
  // A form without edits follows the newest version.
  if (isApplied && !isBegun && base !== version) setBase(version);

  useEffect(() => {
    for (const [field, value] of Object.entries(draft?.typed ?? {})) {
      const typed = value as PathValue<Fields, Path<Fields>>;
      // A form that checks when it is sent would keep the error until then.
      const shouldValidate = mode === 'all';
      setValue(field as Path<Fields>, typed, { shouldDirty: true, shouldValidate });
    }
  }, [draft, mode, setValue]);

  // Subscribed after the draft is restored: each restored field would overwrite the draft.
  useEffect(
    () =>
      subscribe({
        formState: { values: true, dirtyFields: true },
        callback: ({ values, dirtyFields = {}, defaultValues = {} }) => {
          const edited = Object.keys(values).filter((field) => field in dirtyFields);
          const lost = edited.filter((field) => field in unstored);
          const only = (from: object) =>
            Object.fromEntries(
              Object.entries(from).filter(
                ([field]) => field in dirtyFields && !(field in unstored),
              ),
            );
          const begun = { typed: only(values), replaced: only(defaultValues), version: base, lost };
          keepDraft(name, staffId, about, edited.length > 0 ? begun : null);
        },
      }),
    [subscribe, name, staffId, about, base, unstored],
  );

  /** Resets the form to the saved values, or to `fields` that were just saved. */
  const resetTo = (fields: Fields = saved) => {
    keepDraft(name, staffId, about, null);
    setDraft(null);
    reset(fields, { keepDirtyValues: false });
  };
  const setFocus = useCallback((field: Path<Fields>) => focusField(element.current, field), []);
  const restored: RestoredDraft | null = draft && {
    again: draft.lost.flatMap((field) => unstored[field] ?? []),
    onDiscard: () => resetTo(),
  };
  return {
    ...form,
    setFocus,
    /** True while a submission is running. */
    isSubmitting,
    /** The attributes of the form's element: `save` is given the fields once they are valid. */
    formOf: (save: SubmitHandler<Fields>) => ({
      ref: element,
      busy: isSubmitting,
      restored,
      onSubmit: handleSubmit(save),
    }),
    /** The attributes of a text field. A running submission must not be edited. */
    fieldOf: (field: Path<Fields>) => ({
      ...register(field),
      readOnly: isSubmitting,
      error: errors[field]?.message as string | undefined,
    }),
    /** Another member saved since this form was edited. */
    hasConflict: isBegun && !isSubmitting && base !== version,
    /** The values that the restored draft replaced; null: no draft was restored. */
    replaced: draft?.replaced ?? null,
    /** Says that the form was filled from a draft; null: it was not. */
    restored,
    resetTo,
    /** Removes the draft and leaves the form as it is. */
    dropDraft: () => keepDraft(name, staffId, about, null),
  };
}
