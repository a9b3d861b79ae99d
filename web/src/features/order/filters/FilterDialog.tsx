import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { statusLabel } from '@/i18n/statusLabel';
import { useMe } from '@/session/me';
import { DateField } from '@/ui/DateField';
import { dayOf, isDayOrEmpty, NO_DAY } from '@/ui/dateText';
import { Field, SelectField } from '@/ui/Field';
import { FormDialog } from '@/ui/FormDialog';
import { colleaguesQuery } from '../colleagues';
import classes from './FilterDialog.module.css';
import { FILTER_KEYS, type FilterKey, type ListFilter } from './filterKeys';
import {
  ME,
  MODES,
  REQUIREMENTS,
  REQUIREMENT_VALUES,
  STATUS_VALUES,
  UNASSIGNED,
} from './filterTexts';

const text = z.string().check(z.trim(), z.maxLength(100));
const day = z.string().check(z.refine(isDayOrEmpty, NO_DAY));
const inOrder = (from: string, to: string) => !dayOf(from) || !dayOf(to) || from <= to;
const REVERSED = 'The from date is after the to date. Please choose an earlier from date';

const filterForm = z
  .object({
    status: z.string(),
    visa: text,
    nationality: text,
    mode: z.string(),
    requirement: z.string(),
    from: day,
    to: day,
    arrival_from: day,
    arrival_to: day,
    owner: z.string(),
  })
  .check(
    z.refine(({ from, to }) => inOrder(from, to), { message: REVERSED, path: ['from'] }),
    z.refine((days) => inOrder(days.arrival_from, days.arrival_to), {
      message: REVERSED,
      path: ['arrival_from'],
    }),
  );

type FilterForm = z.infer<typeof filterForm>;

interface FilterDialogProps {
  filter: ListFilter;
  /** The filters that the list offers. */
  offered: readonly FilterKey[];
  /** Nationalities to suggest. */
  nationalities: readonly string[];
  onFilter: (filter: ListFilter) => void;
  onClose: () => void;
}

/** All filters of a list. */
export function FilterDialog(props: FilterDialogProps) {
  const { filter, offered, nationalities, onFilter, onClose } = props;
  const me = useMe();
  const colleagues = useQuery(colleaguesQuery);
  const { control, register, handleSubmit, formState } = useForm<FilterForm>({
    mode: 'onSubmit',
    resolver: zodResolver(filterForm),
    defaultValues: Object.fromEntries(FILTER_KEYS.map((key) => [key, filter[key] ?? ''])),
  });
  const { errors } = formState;
  const has = (key: FilterKey) => offered.includes(key) || filter[key] !== undefined;
  const apply = (values: FilterForm) => {
    onFilter(Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')));
    onClose();
  };
  const others = (colleagues.data ?? []).filter(({ staff_id: id }) => id !== me.id);
  return (
    <FormDialog
      title="Filter this list"
      wide
      save="Apply"
      onSubmit={handleSubmit(apply)}
      onClose={onClose}
    >
      <div className={classes.fields}>
        {has('owner') && (
          <SelectField label="Owner" error={colleagues.error?.message} {...register('owner')}>
            <option value="">Anyone</option>
            <option value={UNASSIGNED}>Unassigned</option>
            <option value={ME}>Me</option>
            {isUnknown(filter.owner, others) && (
              <option value={filter.owner}>Member {filter.owner}</option>
            )}
            {others.map(({ staff_id: id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
        )}
        {has('status') && (
          <SelectField label="Status" {...register('status')}>
            <option value="">Any status</option>
            {STATUS_VALUES.map((status) => (
              <option key={status} value={status}>
                {statusLabel(status)}
              </option>
            ))}
          </SelectField>
        )}
        {has('mode') && (
          <SelectField label="Processing" {...register('mode')}>
            <option value="">Any</option>
            {MODES.map((mode) => (
              <option key={mode}>{mode}</option>
            ))}
          </SelectField>
        )}
        <SelectField label="Open requirement" {...register('requirement')}>
          <option value="">Any</option>
          {REQUIREMENT_VALUES.map((requirement) => (
            <option key={requirement} value={requirement}>
              {REQUIREMENTS[requirement]}
            </option>
          ))}
        </SelectField>
        <Field
          label="Visa type"
          placeholder="C1"
          autoComplete="off"
          error={errors.visa?.message}
          {...register('visa')}
        />
        <Field
          label="Nationality"
          placeholder="Germany"
          autoComplete="off"
          list="filter-nationalities"
          error={errors.nationality?.message}
          {...register('nationality')}
        />
        <datalist id="filter-nationalities">
          {nationalities.map((nationality) => (
            <option key={nationality} value={nationality} />
          ))}
        </datalist>
      </div>
      <div className={classes.fields}>
        <DateField label="Received from" name="from" deps="to" control={control} />
        <DateField label="Received until" name="to" deps="from" control={control} />
        <DateField label="Arrival from" name="arrival_from" deps="arrival_to" control={control} />
        <DateField label="Arrival until" name="arrival_to" deps="arrival_from" control={control} />
      </div>
    </FormDialog>
  );
}

/** The select keeps an owner of the address who is no active member. */
function isUnknown(owner: string | undefined, others: readonly { staff_id: number }[]): boolean {
  if (owner === undefined || owner === UNASSIGNED || owner === ME) return false;
  return !others.some(({ staff_id: id }) => String(id) === owner);
}
