import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Chargeback, ChargebackTerms, OrderDetails } from '@/api/types';
import { useDraftedForm } from '@/session/useDraftedForm';
import { Button } from '@/ui/Button';
import { TryAgain } from '@/ui/TryAgain';
import { Card } from '@/ui/Card';
import { DateField } from '@/ui/DateField';
import { Field, SelectField } from '@/ui/Field';
import { Form, SubmitButton } from '@/ui/Form';
import { Time } from '@/ui/Time';
import { plainDate } from '@/ui/times';
import { deadlineText, deadlineTone, inDays } from '../../deadline';
import { Chip } from '@/ui/Chip';
import { useOrderPost } from '../useOrderPost';
import { chargebackTermsQuery } from './chargebackCalls';
import {
  bodyOf,
  chargebackForm,
  fieldsOf,
  lastDayOf,
  workingDay,
  type ChargebackFields,
} from './chargebackForm';
import classes from './chargebacks.module.css';

/** The chargeback of the order and the time left to answer it. */
export function ChargebackCard({ order, record }: { order: OrderDetails; record: Chargeback }) {
  const terms = useQuery(chargebackTermsQuery);
  const form = useDraftedForm<ChargebackFields>({
    name: 'chargeback',
    about: order.order_id,
    schema: chargebackForm,
    saved: fieldsOf(record),
    version: record.updated_at,
  });
  const { register, formOf, fieldOf, getValues, setValue, watch, resetTo, isSubmitting } = form;
  const { defaultValues, dirtyFields } = form.formState;
  const { post } = useOrderPost();
  const save = async (fields: ChargebackFields) => {
    const body = bodyOf(order.order_id, fields, record.updated_at);
    if (!(await post('/api/admin/save-chargeback', body))) return;
    setTyped(null);
    resetTo(fields);
  };

  // Whether a person typed the last day; null while it is unchanged.
  const [isTyped, setTyped] = useState<boolean | null>(null);
  const followTerms = () => {
    const { network = '', openedOn = '', respondBy } = { ...defaultValues };
    const isOwn = respondBy !== lastDayOf(terms.data, { network, openedOn });
    const wasTyped = isOwn || dirtyFields.respondBy === true;
    const day = lastDayOf(terms.data, getValues());
    if ((isTyped ?? wasTyped) || day === '') return;
    setTyped(false);
    setValue('respondBy', day, { shouldDirty: true, shouldValidate: true });
  };
  const typeLastDay = () => setTyped(getValues('respondBy') !== '');
  return (
    <Card as="section" className={classes.card} aria-labelledby="chargeback">
      <div className={classes.head}>
        <h2 id="chargeback">Chargeback</h2>
        <Chip tone={deadlineTone(record)}>{deadlineText(record)}</Chip>
        <p className={classes.soft}>
          {record.outcome === 'Open' && (
            <>
              Answer by <Day date={record.working_deadline} />, the bank waits until{' '}
              <Day date={record.respond_by} />.{' '}
            </>
          )}
          Last changed by <bdi>{record.updated_by}</bdi>, <Time iso={record.updated_at} />
        </p>
      </div>
      {terms.error && (
        <p className={classes.missing} role="alert">
          {terms.error.message} <TryAgain small onClick={() => void terms.refetch()} />
        </p>
      )}
      <Form aria-label="Chargeback" {...formOf(save)}>
        <div className={classes.fields}>
          {/* The form is reset when a save ends, so a choice made during it would be lost. A restored choice waits for its option. */}
          <SelectField
            label="Network"
            options={optionsOf(
              terms.data?.networks.map(({ network }) => network),
              record.network,
            )}
            disabled={isSubmitting}
            {...register('network', { onChange: followTerms })}
            value={watch('network')}
          />
          <SelectField
            label="Reason"
            options={optionsOf(terms.data?.reason_groups, record.reason_group)}
            disabled={isSubmitting}
            {...register('reasonGroup')}
            value={watch('reasonGroup')}
          >
            <option value="">Not recorded</option>
          </SelectField>
          <Field label="Reason code" {...fieldOf('reasonCode')} />
          <Field label="Case id" {...fieldOf('caseId')} />
          <Field label="Amount" inputMode="decimal" {...fieldOf('amount')} />
          <Field label="Currency" maxLength={3} {...fieldOf('currency')} />
          <DateField
            label="Opened on"
            name="openedOn"
            control={form.control}
            readOnly={isSubmitting}
            onPick={followTerms}
          />
          <DateField
            label="Respond by"
            name="respondBy"
            control={form.control}
            readOnly={isSubmitting}
            onPick={typeLastDay}
          />
          <Field label="ARN" {...fieldOf('arn')} />
          <SelectField
            label="Outcome"
            options={optionsOf(terms.data?.outcomes, record.outcome)}
            disabled={isSubmitting}
            {...register('outcome')}
            value={watch('outcome')}
          />
        </div>
        {terms.data && watch('outcome') === 'Open' && (
          <Deadlines terms={terms.data} fields={watch()} />
        )}
        {form.hasConflict && (
          <p className={classes.missing} role="alert">
            <bdi>{record.updated_by}</bdi> changed this while you were editing. Your changes are
            still here. Saving them replaces theirs.{' '}
            <Button small onClick={() => resetTo()}>
              Discard my changes
            </Button>
          </p>
        )}
        {order.allowed.save_chargeback && <SubmitButton>Save Chargeback</SubmitButton>}
      </Form>
    </Card>
  );
}

/** The offered values, of which there are none while they are loading, and the saved one. */
function optionsOf(offered: readonly string[] | undefined, saved: string | null | undefined) {
  const all = new Set(offered);
  if (saved) all.add(saved);
  return [...all].map((value) => [value, value] as const);
}

/** The deadlines that follow from the entered dates. */
function Deadlines({ terms, fields }: { terms: ChargebackTerms; fields: ChargebackFields }) {
  const ours = workingDay(terms, fields);
  const theirs = lastDayOf(terms, fields);
  if (ours === '') return null;
  return (
    <p className={classes.soft}>
      {fields.respondBy === '' && theirs !== '' && (
        <>
          The bank waits until <Day date={theirs} /> when nothing is entered.{' '}
        </>
      )}
      We answer by <Day date={ours} />, at most {inDays(terms.working_days)} after it was opened.
    </p>
  );
}

function Day({ date }: { date: string }) {
  return (
    <time className={classes.day} dateTime={date}>
      {plainDate(date)}
    </time>
  );
}
