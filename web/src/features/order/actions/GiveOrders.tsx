import { useQuery } from '@tanstack/react-query';
import { useCallback, useState, type ReactNode } from 'react';
import * as z from 'zod/mini';
import { useMe } from '@/session/me';
import { useDraftedForm } from '@/session/useDraftedForm';
import { SelectField, TextField } from '@/ui/Field';
import { FormDialog } from '@/ui/FormDialog';
import { colleaguesQuery } from '../colleagues';
import { ordersText, type OrderAction } from './orderActions';
import type { Given } from './orderCalls';

type Giving = NonNullable<OrderAction['giving']>;

interface Asked {
  giving: Giving;
  ids: readonly number[];
  resolve: (given: Given | null) => void;
}

const MAX_LENGTH = 5000;

const NOBODY: Given = { to: '', note: '' };

const note = z.string().check(z.maxLength(MAX_LENGTH, `At most ${MAX_LENGTH} characters`));
const colleague = z.string().check(z.minLength(1, 'Please choose a colleague'));
const withoutNote = z.object({ to: colleague, note });
const withNote = z.object({
  to: colleague,
  note: note.check(z.refine((text) => text.trim() !== '', 'Please say why')),
});

/** Gives a function that asks to whom orders are given, and the dialog to render. */
export function useGiveOrders(): [
  ask: (giving: Giving, ids: readonly number[]) => Promise<Given | null>,
  dialog: ReactNode,
] {
  const [asked, setAsked] = useState<Asked | null>(null);
  const ask = useCallback(
    (giving: Giving, ids: readonly number[]) =>
      new Promise<Given | null>((resolve) => {
        setAsked({ giving, ids, resolve });
      }),
    [],
  );
  const dialog = asked && (
    <GiveOrders
      {...asked}
      onAnswer={(given) => {
        setAsked(null);
        asked.resolve(given);
      }}
    />
  );
  return [ask, dialog];
}

interface GiveOrdersProps {
  giving: Giving;
  ids: readonly number[];
  onAnswer: (given: Given | null) => void;
}

function GiveOrders({ giving, ids, onAnswer }: GiveOrdersProps) {
  const me = useMe();
  const { data = [], error } = useQuery(colleaguesQuery);
  const form = useDraftedForm<Given>({
    name: 'give-orders',
    about: ids.join(),
    schema: giving.needsNote ? withNote : withoutNote,
    saved: NOBODY,
    mode: 'onSubmit',
  });
  const { register, handleSubmit, resetTo, restored, formState } = form;
  const others = data.filter(({ staff_id: id }) => id !== me.id || giving.needsNote);
  return (
    <FormDialog
      title={giving.title(ordersText(ids))}
      save={giving.yes}
      busy={formState.isSubmitting}
      restored={restored}
      onSubmit={handleSubmit((given) => {
        resetTo();
        onAnswer(given);
      })}
      onClose={() => onAnswer(null)}
    >
      <SelectField
        label="Colleague"
        focusFirst
        error={formState.errors.to?.message ?? error?.message}
        {...register('to')}
      >
        <option value="">Choose a colleague</option>
        {others.map(({ staff_id: id, name, type }) => (
          <option key={id} value={name}>
            {name} ({type})
          </option>
        ))}
      </SelectField>
      <TextField
        label={giving.needsNote ? 'Why' : 'Note (optional)'}
        hint="It becomes a comment of each order."
        dir="auto"
        rows={3}
        error={formState.errors.note?.message}
        {...register('note')}
      />
    </FormDialog>
  );
}
