import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useChange } from '@/session/useChange';
import { Button } from '@/ui/Button';
import { useConfirm } from '@/ui/useConfirm';
import type { ListFilter } from '../filters/filterKeys';
import type { Sort } from '../useListParams';
import { deleteSavedView, savedViewsQuery, viewShown } from './savedViewCalls';
import { SaveViewDialog } from './SaveViewDialog';

interface ViewToolsProps {
  orderName: string;
  filter: ListFilter;
  sort: Sort | undefined;
}

/** Saves the filtered list as a view, or deletes the view that it is. */
export function ViewTools({ orderName, filter, sort }: ViewToolsProps) {
  const { data } = useQuery(savedViewsQuery);
  const [isOpen, setOpen] = useState(false);
  const [ask, question] = useConfirm();
  const { send, busy } = useChange({ run: deleteSavedView, stale: savedViewsQuery.queryKey });
  if (!data) return null;
  const view = viewShown(data.views, orderName, filter, sort);
  const remove = async (id: number, name: string) => {
    const title = `Delete the view “${name}”`;
    const text = 'Are you sure? Its orders stay as they are.';
    if (await ask({ title, text, yes: 'Yes, delete' })) await send(id);
  };
  return (
    <>
      {/* One button for both: it keeps the focus when it changes. */}
      {(!view || view.may_change) && (
        <Button
          kind="text"
          small
          busy={busy}
          onClick={() => (view ? void remove(view.view_id, view.name) : setOpen(true))}
        >
          {view ? 'Delete view' : 'Save view'}
        </Button>
      )}
      {isOpen && (
        <SaveViewDialog
          orderName={orderName}
          filter={filter}
          sort={sort}
          mayShare={data.may_share}
          onClose={() => setOpen(false)}
        />
      )}
      {question}
    </>
  );
}
