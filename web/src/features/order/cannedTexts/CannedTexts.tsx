import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CannedText } from '@/api/types';
import { useChange } from '@/session/useChange';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import type { Column } from '@/ui/column';
import { ListScreen } from '@/ui/ListScreen';
import { LoadedTable } from '@/ui/LoadedTable';
import { useConfirm } from '@/ui/useConfirm';
import { cannedTextsQuery, deleteCannedText, saveCannedText } from './cannedTextCalls';
import { CannedTextDialog } from './CannedTextDialog';
import { bodyOf, PURPOSES, type CannedTextFields } from './cannedTextFields';

/** The texts that the member uses often: their own, and those of all. */
export function CannedTexts() {
  const { data, error, isFetching, refetch } = useQuery(cannedTextsQuery);
  /** Null: none; `new`: one to add. */
  const [edited, setEdited] = useState<CannedText | 'new' | null>(null);
  const known = edited === 'new' ? null : edited;
  const stale = cannedTextsQuery.queryKey;
  const { send: save } = useChange({ run: saveCannedText, stale, waits: true });
  const { send: remove } = useChange({ run: deleteCannedText, stale, waits: true });
  const [ask, question] = useConfirm();
  const mayShare = data?.may_share ?? false;
  const confirmDelete = async ({ id, title, shared }: CannedText) => {
    const text = shared ? 'Everybody has this text.' : 'Only you have this text.';
    const asked = { title: `Delete ${title}`, text, yes: 'Yes, delete', danger: true };
    if (await ask(asked)) await remove(id);
  };
  return (
    <div>
      <ListScreen
        title="Canned texts"
        summary={data && `${data.texts.length} texts`}
        busy={isFetching}
        bar={
          <Button kind="primary" onClick={() => setEdited('new')}>
            Add a text
          </Button>
        }
      >
        <LoadedTable
          label="Canned texts"
          columns={columnsOf(mayShare, setEdited, (text) => void confirmDelete(text))}
          rows={data?.texts}
          rowId={({ id }) => id}
          error={error}
          onRetry={() => void refetch()}
          emptyReason="There are no texts yet. Add what you write often."
        />
      </ListScreen>
      {edited !== null && (
        <CannedTextDialog
          known={known}
          mayShare={mayShare}
          onSave={async (fields: CannedTextFields) =>
            (await save(bodyOf(known, fields))) !== undefined
          }
          onClose={() => setEdited(null)}
        />
      )}
      {question}
    </div>
  );
}

function columnsOf(
  mayShare: boolean,
  onEdit: (text: CannedText) => void,
  onDelete: (text: CannedText) => void,
): Column<CannedText>[] {
  return [
    {
      title: 'Name',
      widthPx: 180,
      grows: true,
      cell: ({ title }) => (
        <bdi title={title} dir="auto">
          {title}
        </bdi>
      ),
    },
    {
      title: 'Used in',
      widthPx: 100,
      cell: ({ purpose }) => PURPOSES.find(([known]) => known === purpose)?.[1],
    },
    {
      title: 'Text',
      widthPx: 300,
      grows: true,
      cell: ({ texts }) => <span title={texts['en']}>{texts['en']}</span>,
    },
    { title: 'Languages', widthPx: 96, cell: ({ texts }) => Object.keys(texts).length },
    {
      title: 'For',
      widthPx: 100,
      cell: ({ shared }) =>
        shared ? <Chip tone="info">Everybody</Chip> : <Chip tone="neutral">Me</Chip>,
    },
    {
      title: 'Action',
      widthPx: 160,
      cell: (text) =>
        (mayShare || !text.shared) && (
          <>
            <Button small aria-label={`Change: ${text.title}`} onClick={() => onEdit(text)}>
              Change
            </Button>{' '}
            <Button small aria-label={`Delete: ${text.title}`} onClick={() => onDelete(text)}>
              Delete
            </Button>
          </>
        ),
    },
  ];
}
