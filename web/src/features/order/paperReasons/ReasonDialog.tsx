import { useState } from 'react';
import type { PaperReason } from '@/api/types';
import { languages } from '@/i18n/languages';
import { useDraftedForm } from '@/session/useDraftedForm';
import { Button } from '@/ui/Button';
import { Checkbox } from '@/ui/Checkbox';
import { Dialog, DialogActions } from '@/ui/Dialog';
import { SelectField } from '@/ui/Field';
import { Form, SubmitButton } from '@/ui/Form';
import { LanguageFields } from '../LanguageFields';
import classes from './ReasonDialog.module.css';
import { fieldsOf, KINDS, reasonFields, STATES, type ReasonFields } from './reasonFields';

interface ReasonDialogProps {
  /** Null: a new one. */
  reason: PaperReason | null;
  /** Returns whether it succeeded. */
  onSave: (fields: ReasonFields, archived: boolean) => Promise<boolean>;
  onClose: () => void;
}

/** A reason in all languages. Applicants whose language has no text read the English one. */
export function ReasonDialog({ reason, onSave, onClose }: ReasonDialogProps) {
  const [saved] = useState(() => fieldsOf(reason));
  const form = useDraftedForm<ReasonFields>({
    name: 'paper-reason',
    about: reason?.code ?? 'new',
    schema: reasonFields,
    saved,
  });
  const { register, handleSubmit, resetTo, restored, formState } = form;
  const { errors, isSubmitting } = formState;
  const save = (archived: boolean) =>
    handleSubmit(async (fields) => {
      if (!(await onSave(fields, archived))) return;
      resetTo();
      onClose();
    });
  const isArchived = reason?.is_archived ?? false;
  return (
    <Dialog title={reason ? 'Change a reason' : 'Add a reason'} wide onClose={onClose}>
      <Form className={classes.form} busy={isSubmitting} restored={restored} onSubmit={save(false)}>
        <SelectField label="The document is" options={STATES} {...register('state')} />
        <fieldset className={classes.kinds}>
          <legend>Only for these documents (none: for all)</legend>
          {KINDS.map(([kind, label]) => (
            <Checkbox key={kind} label={label} value={kind} {...register('kinds')} />
          ))}
        </fieldset>
        <LanguageFields languages={languages} rows={2} register={register} errors={errors.texts} />
        <DialogActions>
          {reason && !isArchived && (
            <Button busy={isSubmitting} onClick={(event) => void save(true)(event)}>
              No longer offer
            </Button>
          )}
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton>{isArchived ? 'Save and offer again' : 'Save'}</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
