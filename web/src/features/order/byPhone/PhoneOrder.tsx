import { useRef } from 'react';
import { useForm, type FieldPath } from 'react-hook-form';
import { useNavigate } from 'react-router';
import { ApiError, messageOf } from '@/api/ApiError';
import { answer, api, IDEMPOTENCY_KEY } from '@/api/client';
import { paths } from '@/paths/staffPaths';
import { useChange } from '@/session/useChange';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { DateField } from '@/ui/DateField';
import { Field, SelectField } from '@/ui/Field';
import { CORRECTED, type FieldName } from '../detail/corrections/correctedFields';
import { ORDER } from '../orderQueries';
import { useAttemptKey } from '../detail/useAttemptKey';
import classes from './PhoneOrder.module.css';

type Values = Record<FieldName | 'processing_mode' | 'processing_date', string>;

const NAMES: readonly FieldName[] = Object.values(CORRECTED).flatMap((fields) =>
  fields.map(({ name }) => name),
);

const EMPTY: Partial<Values> = {
  ...Object.fromEntries(NAMES.map((name) => [name, ''])),
  processing_mode: 'Regular Processing',
  processing_date: '',
};

const REQUIRED: ReadonlySet<string> = new Set(['full_name', 'contact_email_address']);

/** The form of an order by phone. The server checks it by the rules of the sales site's orders. */
export function PhoneOrder() {
  const navigate = useNavigate();
  const attempt = useAttemptKey();
  const { control, register, handleSubmit, setError, formState } = useForm<Values>({
    defaultValues: EMPTY,
  });
  const { errors, isSubmitting } = formState;
  const refusal = useRef<ApiError>(null);
  const { send } = useChange({
    run: async (values: Sent) => {
      refusal.current = null;
      try {
        return await add(values, attempt.keyOf(values));
      } catch (error) {
        if (error instanceof ApiError) refusal.current = error;
        throw error;
      }
    },
    stale: ORDER,
    failure: (error) =>
      error instanceof ApiError && error.data.errors ? null : { message: messageOf(error) },
  });
  const save = async (values: Values) => {
    const filled = Object.entries(values).filter(([, value]) => value && value.trim() !== '');
    const added = await send(Object.fromEntries(filled) as Sent);
    if (added) {
      attempt.done();
      void navigate(paths.viewOrder(added.data.order_id));
      return;
    }
    (refusal.current?.data.errors ?? []).forEach(({ field, reason }, index) =>
      setError(
        field as FieldPath<Values>,
        { message: `This ${reason}` },
        { shouldFocus: index === 0 },
      ),
    );
  };
  return (
    <form
      aria-label="Add order by phone"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isSubmitting) void handleSubmit(save)(event);
      }}
    >
      <Card className={classes.card}>
        <p className={classes.text}>
          The order is Pending until it is paid. Only the name, the email and the processing mode
          are required; the rest can be corrected later.
        </p>
        {Object.entries(CORRECTED).map(([title, fields]) => (
          <fieldset key={title} className={classes.section}>
            <legend>{title}</legend>
            <div className={classes.fields}>
              {fields.map((field) => {
                const { name, label } = field;
                const kind = 'kind' in field ? field.kind : undefined;
                return kind === 'date' ? (
                  <DateField
                    key={name}
                    label={label}
                    name={name}
                    control={control}
                    readOnly={isSubmitting}
                  />
                ) : (
                  <Field
                    key={name}
                    label={label}
                    dir="auto"
                    autoComplete="off"
                    required={REQUIRED.has(name)}
                    inputMode={kind === 'number' ? 'numeric' : kind}
                    readOnly={isSubmitting}
                    error={errors[name]?.message}
                    {...register(name)}
                  />
                );
              })}
            </div>
          </fieldset>
        ))}
        <fieldset className={classes.section}>
          <legend>Processing</legend>
          <div className={classes.fields}>
            <SelectField
              label="Processing Mode"
              disabled={isSubmitting}
              error={errors.processing_mode?.message}
              {...register('processing_mode')}
            >
              <option>Regular Processing</option>
              <option>Priority Processing</option>
            </SelectField>
            <DateField
              label="Processing Date"
              name="processing_date"
              control={control}
              readOnly={isSubmitting}
              hint="Empty: as soon as it is paid."
            />
          </div>
        </fieldset>
        <Button type="submit" kind="primary" busy={isSubmitting}>
          Add order
        </Button>
      </Card>
    </form>
  );
}

type Sent = Pick<Values, 'full_name' | 'contact_email_address' | 'processing_mode'>;

async function add(body: Sent, key: string) {
  const headers = { [IDEMPOTENCY_KEY]: key };
  return answer(api.POST('/api/admin/add-phone-order', { body, headers }));
}
