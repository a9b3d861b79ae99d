import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { DateField } from '@/ui/DateField';
import { RowForm, SubmitButton } from '@/ui/Form';
import { type Days, daysForm } from './days';

export function DaysForm({ days, onSubmit }: { days: Days; onSubmit: (days: Days) => void }) {
  const { control, handleSubmit } = useForm<Days>({
    mode: 'all',
    resolver: zodResolver(daysForm),
    values: days,
  });
  return (
    <RowForm
      aria-label="Days"
      onSubmit={handleSubmit(onSubmit)}
      buttons={<SubmitButton>Submit</SubmitButton>}
    >
      <DateField label="From date" name="fromDate" deps="toDate" control={control} />
      <DateField label="To date" name="toDate" deps="fromDate" control={control} />
    </RowForm>
  );
}
