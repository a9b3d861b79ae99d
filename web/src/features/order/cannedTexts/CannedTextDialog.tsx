import { useState } from 'react';
import type { CannedText } from '@/api/types';
import { languages } from '@/i18n/languages';
import { useDraftedForm } from '@/session/useDraftedForm';
import { Checkbox } from '@/ui/Checkbox';
import { DialogText } from '@/ui/Dialog';
import { Field, SelectField } from '@/ui/Field';
import { FormDialog } from '@/ui/FormDialog';
import { LanguageFields } from '../LanguageFields';
import { cannedTextFields, fieldsOf, PURPOSES, type CannedTextFields } from './cannedTextFields';

interface CannedTextDialogProps {
  /** Null: a new one. */
  known: CannedText | null;
  /** True if the member may add texts for everybody. */
  mayShare: boolean;
  /** Returns whether it succeeded. */
  onSave: (fields: CannedTextFields) => Promise<boolean>;
  onClose: () => void;
}

/** A text. Messages to applicants are written in several languages. */
export function CannedTextDialog(props: CannedTextDialogProps) {
  const { known, mayShare, onSave, onClose } = props;
  const [saved] = useState(() => fieldsOf(known));
  const form = useDraftedForm<CannedTextFields>({
    name: 'canned-text',
    about: known?.id ?? 'new',
    schema: cannedTextFields,
    saved,
  });
  const { register, formOf, fieldOf, resetTo, watch } = form;
  const save = async (fields: CannedTextFields) => {
    if (!(await onSave(fields))) return;
    resetTo();
    onClose();
  };
  const written = watch('purpose') === 'whatsapp' ? languages : (['en'] as const);
  return (
    <FormDialog
      title={known ? 'Change a text' : 'Add a text'}
      wide
      save="Save"
      onClose={onClose}
      {...formOf(save)}
    >
      <SelectField label="Used in" options={PURPOSES} {...register('purpose')} />
      <Field label="Name" {...fieldOf('title')} />
      <DialogText>
        {'{name}, {order}, {visa} and {arrival} are replaced by the values of the order.'}
      </DialogText>
      <LanguageFields
        languages={written}
        rows={3}
        register={register}
        errors={form.formState.errors.texts}
      />
      {mayShare && !known && <Checkbox label="Everybody has this text" {...register('shared')} />}
    </FormDialog>
  );
}
