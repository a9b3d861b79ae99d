import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { ApiError, messageOf } from '@/api/ApiError';
import type { OrderDetails } from '@/api/types';
import { useChange } from '@/session/useChange';
import { Button } from '@/ui/Button';
import { DateField } from '@/ui/DateField';
import { Dialog, DialogActions, DialogText } from '@/ui/Dialog';
import { Field } from '@/ui/Field';
import { ORDER } from '../../orderQueries';
import { orderDetailsQuery } from '../orderDetailsQuery';
import classes from './CorrectDialog.module.css';
import { correct, type Changes } from './correctionCall';
import { CORRECTED, valueOf, type FieldName, type SectionTitle } from './correctedFields';

interface CorrectDialogProps {
  order: OrderDetails;
  section: SectionTitle;
  onClose: () => void;
}

type Values = Partial<Record<FieldName, string>>;

/** Corrects the fields of a section. What somebody else changed meanwhile is shown, and replaced only by saving again. */
export function CorrectDialog({ order, section, onClose }: CorrectDialogProps) {
  const fields = CORRECTED[section];
  const [seen, setSeen] = useState<Values>(() =>
    Object.fromEntries(fields.map(({ name }) => [name, valueOf(order, name)])),
  );
  const client = useQueryClient();
  const refusal = useRef<ApiError>(null);
  const { control, register, handleSubmit, setError, formState } = useForm<Values>({
    defaultValues: seen,
  });
  const { errors, isSubmitting } = formState;
  const { send } = useChange({
    run: async (changes: Changes) => {
      refusal.current = null;
      try {
        return await correct(order.order_id, changes);
      } catch (error) {
        if (error instanceof ApiError) refusal.current = error;
        throw error;
      }
    },
    stale: ORDER,
    waits: true,
    failure: (error) => (namesFields(error) ? null : { message: messageOf(error) }),
  });
  const save = async (values: Values) => {
    const changes: Changes = {};
    for (const { name } of fields) {
      const [before, after] = [seen[name] ?? '', (values[name] ?? '').trim()];
      if (before !== after) changes[name] = { before: before || null, after: after || null };
    }
    if (Object.keys(changes).length === 0) {
      onClose();
      return;
    }
    if (await send(changes)) {
      onClose();
      return;
    }
    const { errors: invalid = [], fields: changed = [] } = refusal.current?.data ?? {};
    for (const { field, reason } of invalid)
      setError(field as FieldName, { message: `This ${reason}` });
    // The order was loaded again before `send` returned.
    const now = client.getQueryData(orderDetailsQuery(order.order_id).queryKey) ?? order;
    for (const name of changed as FieldName[]) {
      const value = valueOf(now, name);
      setSeen((before) => ({ ...before, [name]: value }));
      setError(name, {
        message: `Somebody else changed this to “${value || 'nothing'}”. Save again to replace it.`,
      });
    }
  };
  return (
    <Dialog wide title={`Correct: ${section}`} onClose={onClose}>
      <form
        aria-label={`Correct: ${section}`}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!isSubmitting) void handleSubmit(save)(event);
        }}
      >
        <DialogText>What the customer sent stays on record beside the correction.</DialogText>
        <div className={classes.fields}>
          {fields.map((field, index) => {
            const { name, label } = field;
            const kind = 'kind' in field ? field.kind : undefined;
            return kind === 'date' ? (
              <DateField
                key={name}
                label={label}
                name={name}
                control={control}
                readOnly={isSubmitting}
                hint={sentIn(order, name) ?? undefined}
              />
            ) : (
              <Field
                key={name}
                label={label}
                dir="auto"
                autoComplete="off"
                focusFirst={index === 0}
                inputMode={kind === 'number' ? 'numeric' : kind}
                readOnly={isSubmitting}
                error={errors[name]?.message}
                hint={
                  kind === 'email'
                    ? 'The old address gets a notice, and its links stop working.'
                    : sentIn(order, name)
                }
                {...register(name)}
              />
            );
          })}
        </div>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={isSubmitting}>
            Save correction
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** Says what the customer sent in a field that is not understood. */
function sentIn(order: OrderDetails, name: FieldName): string | null {
  const kept = order.kept_values.find(({ field, is_open }) => is_open && field === name);
  return kept ? `The customer sent “${kept.value}”.` : null;
}

/** Returns true if the form shows the refusal at its fields. */
function namesFields(error: unknown): boolean {
  return error instanceof ApiError && (error.data.errors ?? error.data.fields) !== undefined;
}
