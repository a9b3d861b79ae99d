import { useId } from 'react';
import { useDraftedForm } from '@/session/useDraftedForm';
import { Checkbox } from '@/ui/Checkbox';
import { DateField } from '@/ui/DateField';
import { Field, FieldNote } from '@/ui/Field';
import { RowForm, SubmitButton } from '@/ui/Form';
import { type ApiKeyFields, newApiKey, NO_API_KEY, RIGHTS } from './apiKeyFields';
import classes from './ApiKeyForm.module.css';

interface ApiKeyFormProps {
  /** The names of the known sources. */
  sources: readonly string[];
  /** Returns whether it succeeded. */
  onSave: (fields: ApiKeyFields) => Promise<boolean>;
}

/** The form of a new API key. */
export function ApiKeyForm({ sources, onSave }: ApiKeyFormProps) {
  const sourcesId = useId();
  const rightsNoteId = useId();
  const form = useDraftedForm<ApiKeyFields>({
    name: 'api-key',
    schema: newApiKey,
    saved: NO_API_KEY,
  });
  const { control, register, formOf, fieldOf, resetTo } = form;
  const { errors } = form.formState;
  const save = async (fields: ApiKeyFields) => {
    if (await onSave(fields)) resetTo();
  };
  return (
    <RowForm
      aria-label="Create an API key"
      card
      {...formOf(save)}
      buttons={<SubmitButton>Create key</SubmitButton>}
    >
      <Field label="Name" hint="Such as the sales site and the year." {...fieldOf('name')} />
      <Field
        label="Source"
        list={sourcesId}
        hint="The sales site. Its keys see only its orders and those without a source. Leave empty for all orders."
        {...fieldOf('source')}
      />
      <datalist id={sourcesId}>
        {sources.map((source) => (
          <option key={source} value={source} />
        ))}
      </datalist>
      <DateField
        label="Expires"
        name="expires"
        control={control}
        hint="Leave empty for no expiry."
      />
      <Field
        label="Networks"
        placeholder="203.0.113.0/24"
        hint="Where calls may come from, separated by commas. Leave empty for everywhere."
        {...fieldOf('networks')}
      />
      <Field
        label="Calls per minute"
        inputMode="numeric"
        hint="Leave empty for no limit."
        {...fieldOf('callsPerMinute')}
      />
      <div>
        <fieldset
          className={classes.rights}
          aria-describedby={errors.rights ? rightsNoteId : undefined}
        >
          <legend>Rights</legend>
          <div className={classes.choices}>
            {RIGHTS.map(([right, label]) => (
              <Checkbox key={right} label={label} value={right} {...register('rights')} />
            ))}
          </div>
          {errors.rights?.message && (
            <FieldNote id={rightsNoteId} isError>
              {errors.rights.message}
            </FieldNote>
          )}
        </fieldset>
      </div>
      <div>
        <fieldset className={classes.rights}>
          <legend>Orders with unclear fields</legend>
          <div className={classes.choices}>
            <Checkbox label="Refuse them (strict)" {...register('strict')} />
          </div>
        </fieldset>
      </div>
    </RowForm>
  );
}
