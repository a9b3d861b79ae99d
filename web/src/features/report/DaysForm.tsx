import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { Button } from '@/ui/Button';
import { Field } from '@/ui/Field';
import { Form } from '@/ui/Form';
import { type Days, daysForm } from './days';

interface DaysFormProps {
  days: Days;
  onSubmit: (days: Days) => void;
}

/** The period of a report. */
export function DaysForm({ days, onSubmit }: DaysFormProps) {
  const { register, handleSubmit, formState } = useForm<Days>({
    mode: 'all',
    resolver: zodResolver(daysForm),
    values: days,
  });
  const { errors } = formState;
  return (
    <Form
      label="Days"
      onSubmit={handleSubmit(onSubmit)}
      buttons={
        <Button type="submit" kind="primary">
          Submit
        </Button>
      }
    >
      <Field
        label="From date"
        type="date"
        error={errors.fromDate?.message}
        {...register('fromDate', { deps: 'toDate' })}
      />
      <Field
        label="To date"
        type="date"
        error={errors.toDate?.message}
        {...register('toDate', { deps: 'fromDate' })}
      />
    </Form>
  );
}
