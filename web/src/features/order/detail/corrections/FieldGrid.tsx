import type { Control, FieldErrors, UseFormRegister } from 'react-hook-form';
import type { ReactNode } from 'react';
import { DateField } from '@/ui/DateField';
import { Field } from '@/ui/Field';
import type { OrderField, FieldName, FieldValuesByName } from '../orderFields';
import classes from './FieldGrid.module.css';

interface FieldGridProps {
  fields: readonly OrderField[];
  form: {
    control: Control<FieldValuesByName>;
    register: UseFormRegister<FieldValuesByName>;
    formState: { errors: FieldErrors<FieldValuesByName>; isSubmitting: boolean };
  };
  isRequired?: (name: FieldName) => boolean;
  hintOf?: (field: OrderField) => string | undefined;
  /** The first field takes the focus when its dialog opens. */
  focusFirst?: boolean;
  children?: ReactNode;
}

/** Fields of an order, side by side where there is room. */
export function FieldGrid({
  fields,
  form,
  isRequired,
  hintOf,
  focusFirst,
  children,
}: FieldGridProps) {
  const { control, register, formState } = form;
  const { errors, isSubmitting } = formState;
  return (
    <div className={classes.fields}>
      {fields.map((field, index) => {
        const { name, label, kind } = field;
        const shell = { label, readOnly: isSubmitting, hint: hintOf?.(field) };
        return kind === 'date' ? (
          <DateField key={name} {...shell} name={name} control={control} />
        ) : (
          <Field
            key={name}
            {...shell}
            dir="auto"
            focusFirst={focusFirst === true && index === 0}
            required={isRequired?.(name)}
            inputMode={kind === 'number' ? 'numeric' : kind}
            error={errors[name]?.message}
            {...register(name)}
          />
        );
      })}
      {children}
    </div>
  );
}
