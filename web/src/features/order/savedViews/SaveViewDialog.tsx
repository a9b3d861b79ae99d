import * as z from 'zod/mini';
import type { SaveView } from '@/api/types';
import { useChange } from '@/session/useChange';
import { useDraftedForm } from '@/session/useDraftedForm';
import { Checkbox } from '@/ui/Checkbox';
import { Field } from '@/ui/Field';
import { FormDialog } from '@/ui/FormDialog';
import type { ListFilter } from '../filters/filterKeys';
import type { Sort } from '../useListParams';
import { savedViewsQuery, saveView, sentSort } from './savedViewCalls';

const MAX_LENGTH = 60;

const viewForm = z.object({
  name: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, 'Please name the view'),
      z.maxLength(MAX_LENGTH, `At most ${MAX_LENGTH} characters`),
    ),
  isShared: z.boolean(),
});

type ViewForm = z.infer<typeof viewForm>;

const UNNAMED: ViewForm = { name: '', isShared: false };

interface SaveViewDialogProps {
  orderName: string;
  filter: ListFilter;
  sort: Sort | undefined;
  /** The member may share views. */
  mayShare: boolean;
  onClose: () => void;
}

/** Asks for the name of a view, and saves it. */
export function SaveViewDialog(props: SaveViewDialogProps) {
  const { orderName, filter, sort, mayShare, onClose } = props;
  const { send } = useChange({ run: saveView, stale: savedViewsQuery.queryKey, waits: true });
  const form = useDraftedForm<ViewForm>({
    name: 'saved-view',
    about: orderName,
    schema: viewForm,
    saved: UNNAMED,
    mode: 'onSubmit',
  });
  const { register, handleSubmit, resetTo, restored, formState } = form;
  const save = async (named: ViewForm) => {
    const body = { ...named, folder: orderName, filter, sort: sentSort(orderName, sort) };
    // The values of the filter come from the address: the server checks them.
    if ((await send(body as SaveView)) === undefined) return;
    resetTo();
    onClose();
  };
  return (
    <FormDialog
      title="Save as a view"
      save="Save"
      busy={formState.isSubmitting}
      restored={restored}
      onSubmit={handleSubmit(save)}
      onClose={onClose}
    >
      <Field
        label="Name"
        focusFirst
        autoComplete="off"
        dir="auto"
        hint="A view of the same name is replaced."
        error={formState.errors.name?.message}
        {...register('name')}
      />
      {mayShare && <Checkbox label="Share it with all members" {...register('isShared')} />}
    </FormDialog>
  );
}
