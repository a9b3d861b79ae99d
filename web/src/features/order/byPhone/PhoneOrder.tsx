import { useNavigate } from 'react-router';
import { ApiError, messageOf } from '@/api/ApiError';
import type { AttemptHeaders } from '@/api/attempt';
import { answer, api } from '@/api/client';
import { paths } from '@/paths/staffPaths';
import { useChange } from '@/session/useChange';
import { useDraftedForm } from '@/session/useDraftedForm';
import { DateField } from '@/ui/DateField';
import { SelectField } from '@/ui/Field';
import { ListNotice } from '@/ui/ListNotice';
import { ScreenTitle } from '@/ui/ListScreen';
import { Form, SubmitButton } from '@/ui/Form';
import { useMe } from '@/session/me';
import { SECTIONS, type FieldName, type FieldValuesByName } from '../detail/orderFields';
import { FieldGrid } from '../detail/corrections/FieldGrid';
import { ORDER } from '../orderQueries';
import { useAttemptKey } from '../detail/useAttemptKey';
import classes from './PhoneOrder.module.css';

const EMPTY: FieldValuesByName = {
  ...Object.fromEntries(
    Object.values(SECTIONS).flatMap((fields) => fields.map(({ name }) => [name, ''])),
  ),
  processing_mode: 'Regular Processing',
  processing_date: '',
};

const REQUIRED: ReadonlySet<string> = new Set(['full_name', 'contact_email_address']);

/** An order that a customer makes by phone. */
export function PhoneOrder() {
  return (
    <div>
      <ScreenTitle>Add order by phone</ScreenTitle>
      {useMe().may.add_phone_orders ? (
        <PhoneOrderForm />
      ) : (
        <ListNotice text="You cannot add orders by phone. Please ask a colleague of the day shift." />
      )}
    </div>
  );
}

/** The form of an order by phone. The server checks it by the rules of the sales site's orders. */
function PhoneOrderForm() {
  const navigate = useNavigate();
  const attempt = useAttemptKey();
  const form = useDraftedForm<FieldValuesByName>({ name: 'phone-order', saved: EMPTY });
  const { control, register, formOf, setError, resetTo, formState, isSubmitting } = form;
  const { send } = useChange({
    run: (values: Sent) => add(values, attempt.headersOf(values)),
    stale: ORDER,
    failure: (error) => (faultsOf(error) ? null : { message: messageOf(error) }),
    refused: (error) =>
      faultsOf(error)?.forEach(({ field, reason }, index) =>
        setError(field as FieldName, { message: `This ${reason}` }, { shouldFocus: index === 0 }),
      ),
  });
  const save = async (values: FieldValuesByName) => {
    const filled = Object.entries(values).filter(([, value]) => value && value.trim() !== '');
    const added = await send(Object.fromEntries(filled) as unknown as Sent);
    if (!added) return;
    attempt.done();
    resetTo();
    void navigate(paths.viewOrder(added.data.order_id));
  };
  return (
    <Form card className={classes.card} aria-label="Add order by phone" {...formOf(save)}>
      <p className={classes.text}>
        The order is Pending until it is paid. Only the name, the email and the processing mode are
        required; the rest can be corrected later.
      </p>
      {Object.entries(SECTIONS).map(([title, fields]) => (
        <fieldset key={title} className={classes.section}>
          <legend>{title}</legend>
          <FieldGrid fields={fields} form={form} isRequired={(name) => REQUIRED.has(name)} />
        </fieldset>
      ))}
      <fieldset className={classes.section}>
        <legend>Processing</legend>
        <FieldGrid fields={[]} form={form}>
          <SelectField
            label="Processing Mode"
            disabled={isSubmitting}
            error={formState.errors.processing_mode?.message}
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
            hint="Leave empty to start when it is paid."
          />
        </FieldGrid>
      </fieldset>
      <SubmitButton>Add order</SubmitButton>
    </Form>
  );
}

/** The invalid fields that a refusal names. */
const faultsOf = (error: unknown) => (error instanceof ApiError ? error.data.errors : undefined);

type Sent = Record<'full_name' | 'contact_email_address' | 'processing_mode', string>;

function add(body: Sent, headers: AttemptHeaders) {
  return answer(api.POST('/api/admin/add-phone-order', { body, headers }));
}
