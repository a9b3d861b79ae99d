import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { readId } from '@/paths/encodedId';
import { Button } from '@/ui/Button';
import { DateField } from '@/ui/DateField';
import { dayOf, isDayOrEmpty, NO_DAY } from '@/ui/dateText';
import { Field, SelectField } from '@/ui/Field';
import { RowForm, SubmitButton } from '@/ui/Form';
import { type AuditFilter, NO_FILTER } from './auditQuery';

/** With the server's messages. */
const filterForm = z
  .object({
    person: z.string().check(z.trim()),
    order: z.string().check(
      z.trim(),
      z.refine(
        (text) => text === '' || readId(text) !== null,
        "This is not an order's number. Please write it as 100001",
      ),
    ),
    action: z.string(),
    from: z.string().check(z.refine(isDayOrEmpty, NO_DAY)),
    to: z.string().check(z.refine(isDayOrEmpty, NO_DAY)),
  })
  .check(
    z.refine(({ from, to }) => !dayOf(from) || !dayOf(to) || from <= to, {
      message: 'The from date is after the to date. Please choose an earlier from date',
      path: ['from'],
    }),
  );

/** The actions to choose from, and their labels. */
export interface FilterActions {
  known: readonly string[];
  labelOf: (action: string) => string;
}

interface AuditFilterFormProps {
  filter: AuditFilter;
  actions: FilterActions;
  onSubmit: (filter: AuditFilter) => void;
}

/** The filters of the audit and of the access log. */
export function AuditFilterForm({ filter, actions, onSubmit }: AuditFilterFormProps) {
  const { control, register, handleSubmit, formState } = useForm<AuditFilter>({
    mode: 'all',
    resolver: zodResolver(filterForm),
    values: filter,
  });
  const { errors } = formState;
  const isKnown = filter.action === '' || actions.known.includes(filter.action);
  return (
    <RowForm
      aria-label="Filter"
      onSubmit={handleSubmit(onSubmit)}
      buttons={
        <>
          <SubmitButton>Submit</SubmitButton>
          <Button onClick={() => onSubmit(NO_FILTER)}>Clear</Button>
        </>
      }
    >
      <Field label="Person" placeholder="The full name" {...register('person')} />
      <Field
        label="Order"
        placeholder="100001"
        error={errors.order?.message}
        {...register('order')}
      />
      <SelectField
        label="Action"
        options={actions.known.map((action) => [action, actions.labelOf(action)])}
        {...register('action')}
      >
        <option value="">All actions</option>
        {!isKnown && <option>{filter.action}</option>}
      </SelectField>
      <DateField label="From date" name="from" deps="to" control={control} />
      <DateField label="To date" name="to" deps="from" control={control} />
    </RowForm>
  );
}
