import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, messageOf } from '@/api/ApiError';
import type { OrderDetails } from '@/api/types';
import { useChange } from '@/session/useChange';
import { useDraftedForm } from '@/session/useDraftedForm';
import { Button } from '@/ui/Button';
import { Dialog, DialogActions, DialogText } from '@/ui/Dialog';
import { Form, SubmitButton } from '@/ui/Form';
import { ORDER } from '../../orderQueries';
import { orderDetailsQuery } from '../orderDetailsQuery';
import { correct, type Changes } from './correctionCall';
import {
  SECTIONS,
  valueOf,
  type FieldName,
  type FieldValuesByName,
  type SectionTitle,
} from '../orderFields';
import { FieldGrid } from './FieldGrid';

interface CorrectDialogProps {
  order: OrderDetails;
  section: SectionTitle;
  onClose: () => void;
}

/** Corrects the fields of a section. What somebody else changed meanwhile is shown, and replaced only by saving again. */
export function CorrectDialog({ order, section, onClose }: CorrectDialogProps) {
  const fields = SECTIONS[section];
  const [saved] = useState<FieldValuesByName>(() =>
    Object.fromEntries(fields.map(({ name }) => [name, valueOf(order, name)])),
  );
  const form = useDraftedForm<FieldValuesByName>({
    name: 'correction',
    about: `${order.order_id}.${section}`,
    saved,
  });
  const { formOf, setError, replaced, resetTo } = form;
  // A draft may be older than a change of somebody else: the server refuses to replace that one unseen.
  const [seen, setSeen] = useState(() => ({ ...saved, ...replaced }));
  const client = useQueryClient();
  const { send } = useChange({
    run: (changes: Changes) => correct(order.order_id, changes),
    stale: ORDER,
    waits: true,
    failure: (error) => (namesFields(error) ? null : { message: messageOf(error) }),
    refused: (error) => {
      if (namesFields(error)) showAtFields(error);
    },
  });
  const showAtFields = ({ data }: ApiError) => {
    const { errors: invalid = [], fields: changed = [] } = data;
    // The order is loaded again.
    const now = client.getQueryData(orderDetailsQuery(order.order_id).queryKey) ?? order;
    const values = Object.fromEntries(
      (changed as FieldName[]).map((name) => [name, valueOf(now, name)]),
    );
    setSeen((before) => ({ ...before, ...values }));
    const faults = [
      ...invalid.map(({ field, reason }) => [field, `This ${reason}`] as const),
      ...Object.entries(values).map(
        ([name, value]) =>
          [
            name,
            `Somebody else changed this to “${value || 'nothing'}”. Save again to replace it.`,
          ] as const,
      ),
    ];
    faults.forEach(([name, message], index) =>
      setError(name as FieldName, { message }, { shouldFocus: index === 0 }),
    );
  };
  const save = async (values: FieldValuesByName) => {
    const changes: Changes = {};
    for (const { name } of fields) {
      const [before, after] = [seen[name] ?? '', (values[name] ?? '').trim()];
      if (before !== after) changes[name] = { before: before || null, after: after || null };
    }
    if (Object.keys(changes).length > 0 && !(await send(changes))) return;
    resetTo();
    onClose();
  };
  return (
    <Dialog wide title={`Correct: ${section}`} onClose={onClose}>
      <Form aria-label={`Correct: ${section}`} {...formOf(save)}>
        <DialogText>The original value is kept.</DialogText>
        <FieldGrid
          fields={fields}
          form={form}
          focusFirst
          hintOf={({ name, kind }) =>
            kind === 'email'
              ? 'We notify the old address; its links stop working.'
              : sentIn(order, name)
          }
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton>Save correction</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

/** Says what the customer sent in a field that is not understood. */
function sentIn(order: OrderDetails, name: FieldName): string | undefined {
  const kept = order.kept_values.find(({ field, is_open }) => is_open && field === name);
  return kept && `The customer sent “${kept.value}”.`;
}

/** Returns true if the form shows the refusal at its fields. */
function namesFields(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.data.errors ?? error.data.fields) !== undefined;
}
