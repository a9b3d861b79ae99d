import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { PaperReason } from '@/api/types';
import { useChange } from '@/session/useChange';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import type { Column } from '@/ui/column';
import { ListScreen } from '@/ui/ListScreen';
import { ListNotice } from '@/ui/ListNotice';
import { LoadedTable } from '@/ui/LoadedTable';
import { useMe } from '@/session/me';
import { reasonsQuery, savePaperReason } from './paperReasonCalls';
import { ReasonDialog } from './ReasonDialog';
import { bodyOf, papersOf, STATES, type ReasonFields } from './reasonFields';

/** The reasons with which staff ask applicants for papers, which Admins change. */
export function PaperReasons() {
  return useMe().may.edit_paper_reasons ? (
    <ReasonList />
  ) : (
    <ListNotice text="Only Admins change the reasons for documents. Please ask one." />
  );
}

function ReasonList() {
  const reasons = useQuery(reasonsQuery);
  /** Null: none; `new`: one to add. */
  const [edited, setEdited] = useState<PaperReason | 'new' | null>(null);
  const reason = edited === 'new' ? null : edited;
  const { send } = useChange({
    run: savePaperReason,
    stale: reasonsQuery.queryKey,
    waits: true,
  });
  const save = async (fields: ReasonFields, archived: boolean) =>
    (await send(bodyOf(reason, fields, archived))) !== undefined;
  const offered = reasons.data?.filter(({ is_archived }) => !is_archived).length;
  return (
    <div>
      <ListScreen
        title="Reasons for documents"
        summary={offered !== undefined && `${offered} offered`}
        busy={reasons.isFetching}
        bar={
          <Button kind="primary" onClick={() => setEdited('new')}>
            Add a reason
          </Button>
        }
      >
        <LoadedTable
          label="Reasons for documents"
          columns={columnsOf(setEdited)}
          rows={reasons.data?.map((reason, place) => ({ ...reason, place }))}
          rowId={({ place }) => place}
          error={reasons.error}
          onRetry={() => void reasons.refetch()}
          emptyReason="There are no reasons."
        />
      </ListScreen>
      {edited !== null && (
        <ReasonDialog reason={reason} onSave={save} onClose={() => setEdited(null)} />
      )}
    </div>
  );
}

/** A reason, and its place in the list. */
type Row = PaperReason & { place: number };

function columnsOf(onEdit: (reason: PaperReason) => void): Column<Row>[] {
  return [
    {
      title: 'The document is',
      widthPx: 120,
      cell: ({ state }) => STATES.find(([known]) => known === state)?.[1] ?? state,
    },
    {
      title: 'Reason',
      widthPx: 300,
      grows: true,
      cell: ({ texts }) => <span title={texts['en']}>{texts['en']}</span>,
    },
    {
      title: 'Documents',
      widthPx: 150,
      grows: true,
      cell: (reason) => <span title={papersOf(reason)}>{papersOf(reason)}</span>,
    },
    {
      title: 'Languages',
      widthPx: 96,
      cell: ({ texts }) => Object.keys(texts).length,
    },
    {
      title: 'State',
      widthPx: 110,
      cell: ({ is_archived, is_own, is_built_in }) => {
        if (is_archived) return <Chip tone="neutral">Not offered</Chip>;
        if (is_own) return <Chip tone="info">{is_built_in ? 'Changed' : 'Own'}</Chip>;
        return <Chip tone="done">Offered</Chip>;
      },
    },
    {
      title: 'Action',
      widthPx: 92,
      cell: (reason) => (
        <Button
          small
          aria-label={`Change: ${reason.texts['en'] ?? ''}`}
          onClick={() => onEdit(reason)}
        >
          Change
        </Button>
      ),
    },
  ];
}
