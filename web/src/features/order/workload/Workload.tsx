import { useQuery } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import * as z from 'zod/mini';
import type { Workload as MemberWork } from '@/api/types';
import { statusLabel } from '@/i18n/statusLabel';
import { useMe } from '@/session/me';
import { useDraftedForm } from '@/session/useDraftedForm';
import { Button } from '@/ui/Button';
import { now } from '@/ui/clock';
import type { Column } from '@/ui/column';
import { CountBar } from '@/ui/CountBar';
import { Field, SelectField } from '@/ui/Field';
import { RestoredNote } from '@/ui/Form';
import { ListScreen } from '@/ui/ListScreen';
import { LoadedTable } from '@/ui/LoadedTable';
import { formatCount } from '@/ui/numbers';
import { FormattedTime } from '@/ui/Time';
import { timeAgo } from '@/ui/times';
import { reassign } from '../actions/orderActions';
import { useOrderActions } from '../actions/useOrderActions';
import { longText } from '../longText';
import classes from './Workload.module.css';
import { workloadQuery } from './workloadQuery';

const COUNTS = [5, 10, 20, 50, 100];

const schema = z.object({
  note: longText('The note').check(z.refine((text) => text.trim() !== '', 'Please say why')),
});

const NO_NOTE = { note: '' };

/** The open orders of each member. The oldest of one are given to another with two clicks, and one note for all of them. */
export function Workload() {
  const me = useMe();
  const { data: rows, error, isFetching, refetch } = useQuery(workloadQuery);
  const [count, setCount] = useState(20);
  const [fromId, setFromId] = useState<number | null>();
  const form = useDraftedForm({ name: 'workload', schema, saved: NO_NOTE, mode: 'onSubmit' });
  const { follow, busy, dialog } = useOrderActions();
  const from = rows?.find(({ staff_id: id }) => id === fromId);
  const ids = from?.oldest.slice(0, count) ?? [];
  const give = ({ name: to }: MemberWork) =>
    form.handleSubmit(({ note }) => {
      setFromId(undefined);
      follow(reassign, { ids, me, given: { to: to ?? '', note } });
    })();
  const open = rows?.filter(({ staff_id: id }) => id !== null) ?? [];
  const summary = from
    ? `Choose who gets the ${ordersText(ids.length)} ${ofOwner(from)}`
    : `${formatCount(open.reduce((sum, { total }) => sum + total, 0))} open orders have an owner`;
  return (
    <ListScreen
      title="Workload"
      summary={rows && summary}
      busy={isFetching}
      bar={
        <div className={classes.bar}>
          <SelectField
            label="Move"
            value={count}
            onChange={({ target }) => setCount(Number(target.value))}
          >
            {COUNTS.map((one) => (
              <option key={one} value={one}>
                {one} oldest orders
              </option>
            ))}
          </SelectField>
          <Field
            label="Why"
            dir="auto"
            hint="It becomes a comment of each order that is moved."
            error={form.formState.errors.note?.message}
            {...form.register('note')}
          />
          {form.restored && <RestoredNote {...form.restored} />}
        </div>
      }
    >
      <LoadedTable
        label="Workload"
        columns={columnsOf(rows ?? [], {
          count,
          from,
          busy,
          onMove: ({ staff_id: id }) => setFromId(id),
          onGive: (row) => void give(row),
          onCancel: () => setFromId(undefined),
        })}
        rows={rows}
        rowId={({ staff_id: id }) => id ?? 0}
        error={error}
        onRetry={() => void refetch()}
        emptyReason="There are no team members."
      />
      {dialog}
    </ListScreen>
  );
}

interface Moving {
  /** The number of orders that are moved at once. */
  count: number;
  /** The row whose orders are being moved. */
  from: MemberWork | undefined;
  busy: boolean;
  onMove: (row: MemberWork) => void;
  onGive: (row: MemberWork) => void;
  onCancel: () => void;
}

/** The button of a row. The second click follows on the row of the colleague. */
function Move({ row, moving }: { row: MemberWork; moving: Moving }) {
  const { from, busy } = moving;
  const isFrom = from === row;
  const count = Math.min(moving.count, row.oldest.length);
  if (from && !isFrom && row.name === null) return null;
  if (!from && count === 0) return null;
  if (isFrom) {
    return (
      <Button small onClick={moving.onCancel}>
        Cancel
      </Button>
    );
  }
  return from ? (
    <Button
      small
      kind="primary"
      aria-label={`Give to ${row.name}`}
      disabled={busy}
      onClick={() => moving.onGive(row)}
    >
      Give
    </Button>
  ) : (
    <Button
      small
      aria-label={`Move ${count} oldest ${ofOwner(row)}`}
      disabled={busy}
      onClick={() => moving.onMove(row)}
    >
      Move {count} oldest
    </Button>
  );
}

function columnsOf(all: readonly MemberWork[], moving: Moving): Column<MemberWork>[] {
  const most = Math.max(0, ...all.map(({ total }) => total));
  return [
    {
      title: 'Member',
      widthPx: 190,
      narrowPx: 150,
      cell: ({ name, type }) =>
        name === null ? (
          'Unassigned'
        ) : (
          <span className={classes.member} title={name}>
            <bdi>{name}</bdi> <span>{type}</span>
          </span>
        ),
    },
    {
      title: 'Open orders',
      widthPx: 150,
      narrowPx: 110,
      isNumber: true,
      cell: ({ total }) => <CountBar count={total} most={most} />,
    },
    {
      title: 'By status',
      widthPx: 260,
      grows: true,
      cell: (row) => row.total > 0 && <Statuses of={row} />,
    },
    {
      title: 'Oldest',
      widthPx: 120,
      narrowPx: 96,
      cell: ({ oldest_at: iso }) => iso && <FormattedTime iso={iso} text={timeAgo(iso, now())} />,
    },
    {
      title: 'Action',
      widthPx: 150,
      narrowPx: 132,
      cell: (row) => <Move row={row} moving={moving} />,
    },
  ];
}

/** The number of orders in each status; New first, with those that have priority. */
function Statuses({ of: { statuses, priority } }: { of: MemberWork }) {
  const { New: fresh, ...others } = statuses;
  const texts = Object.entries(others).map(([status, count]) => `${statusLabel(status)} ${count}`);
  const urgent = priority > 0 ? ` (${formatCount(priority)} with priority)` : '';
  const all = [...(fresh ? [`New ${formatCount(fresh)}${urgent}`] : []), ...texts];
  return (
    <span className={classes.statuses}>
      {all.map((text, index) => (
        <Fragment key={text}>
          {index > 0 && ' · '}
          <span>{text}</span>
        </Fragment>
      ))}
    </span>
  );
}

const ordersText = (count: number) => (count === 1 ? 'oldest order' : `${count} oldest orders`);

const ofOwner = ({ name }: MemberWork) => (name === null ? 'without an owner' : `of ${name}`);
