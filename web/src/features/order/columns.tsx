import type { ChargebackDeadline, OrderSummary } from '@/api/types';
import { fromOrigin, type Origin } from '@/paths/origin';
import { paths } from '@/paths/staffPaths';
import { Button, ButtonLink } from '@/ui/Button';
import { Chip, ChipNote } from '@/ui/Chip';
import type { Column } from '@/ui/column';
import { Time } from '@/ui/Time';
import { dateAndTime, plainDate, zoneName } from '@/ui/times';
import type { ColumnKey, ColumnTitles } from './columnSets';
import classes from './columns.module.css';
import { deadlineText, deadlineTone } from './deadline';
import { phoneOf } from './phone';
import { StatusChip } from './StatusChip';

interface CellContext {
  /** The agency's time zone. */
  zone: string;
  /** This list, for the way back from an order. */
  origin: Origin;
  /** Deletes one order; undefined where no row offers it. */
  onDelete: ((row: OrderSummary) => void) | undefined;
}

/** The columns of a list. Cells are native elements: a list may show hundreds of rows. */
export function drawColumns(titles: ColumnTitles, context: CellContext): Column<OrderSummary>[] {
  return titles.map(([key, title, widths]) => ({ title, ...CELLS[key](context), ...widths }));
}

type Cell = (context: CellContext) => Omit<Column<OrderSummary>, 'title'>;

const CELLS: Record<ColumnKey, Cell> = {
  orderId: () => ({
    widthPx: 72,
    narrowPx: 60,
    cell: (row) => <strong title={row.order_number}>{row.order_id}</strong>,
  }),
  name: () => ({
    widthPx: 164,
    narrowPx: 86,
    cell: (row) => (
      <span className={classes.text} dir="auto" title={row.full_name}>
        {row.full_name}
      </span>
    ),
  }),
  email: () => ({
    widthPx: 140,
    grows: true,
    cell: (row) => (
      <span className={classes.text} title={row.contact_email_address}>
        {row.contact_email_address}
      </span>
    ),
  }),
  telephone: () => ({ widthPx: 140, narrowPx: 94, cell: (row) => <Telephone order={row} /> }),
  createdAt: ({ zone }) => ({
    widthPx: 190,
    narrowPx: 96,
    cell: (row) => <Time iso={row.created_at} zone={zone} />,
  }),
  refundDate: ({ zone }) => ({
    widthPx: 116,
    narrowPx: 106,
    cell: (row) => <RefundDate iso={row.refund_date} zone={zone} />,
  }),
  processingDate: () => ({
    widthPx: 108,
    narrowPx: 96,
    cell: (row) => row.processing_date && plainDate(row.processing_date),
  }),
  processMonth: () => ({ widthPx: 100, narrowPx: 72, cell: (row) => row.process_month }),
  status: () => ({
    widthPx: 150,
    narrowPx: 106,
    cell: (row) => (
      <span className={classes.status}>
        <StatusChip status={row.process_status} />
        {row.chargeback && <Deadline of={row.chargeback} />}
      </span>
    ),
  }),
  action: ({ origin, onDelete }) => ({
    widthPx: onDelete ? 136 : 72,
    narrowPx: onDelete ? 108 : 56,
    cell: (row) => (
      <span className={classes.actions}>
        <ButtonLink
          small
          // Grey once the order is assigned.
          kind={row.assign_to === null ? undefined : 'quiet'}
          title={row.assign_to === null ? undefined : `Assigned to ${row.assign_to}`}
          aria-label={`View ${row.order_id}`}
          to={paths.viewOrder(row.order_id)}
          state={fromOrigin(origin)}
        >
          View
        </ButtonLink>
        {onDelete && row.allowed.delete && (
          <Button
            small
            kind="danger"
            aria-label={`Delete ${row.order_id}`}
            onClick={() => onDelete(row)}
          >
            Delete
          </Button>
        )}
      </span>
    ),
  }),
};

/** The date of the refund; amber while it is due. */
function RefundDate({ iso, zone }: { iso: string | null | undefined; zone: string }) {
  if (!iso) return <Chip tone="warn">Due</Chip>;
  const at = dateAndTime(iso, zone);
  return (
    <Chip tone="done">
      <time dateTime={iso} title={`${at} ${zoneName(iso, zone)}`}>
        {at.slice(0, 10)}
      </time>
    </Chip>
  );
}

/** The time left to answer a chargeback. */
function Deadline({ of: deadline }: { of: ChargebackDeadline }) {
  const { working_deadline: ours, respond_by: theirs } = deadline;
  return (
    <ChipNote
      tone={deadlineTone(deadline)}
      title={`Answer by ${plainDate(ours)}; the bank waits until ${plainDate(theirs)}`}
    >
      {deadlineText(deadline)}
    </ChipNote>
  );
}

function Telephone({ order }: { order: OrderSummary }) {
  const phone = phoneOf(order.country_code, order.phone_number);
  if (!phone) return null;
  return (
    <a className={classes.telephone} href={`tel:${phone.dialled}`}>
      <bdi dir="ltr">{phone.text}</bdi>
    </a>
  );
}
