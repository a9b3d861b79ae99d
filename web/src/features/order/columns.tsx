import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { OrderSummary } from '@/api/types';
import { fromOrigin, type Origin } from '@/paths/origin';
import { paths } from '@/paths/staffPaths';
import { Avatar } from '@/ui/Avatar';
import { Button, ButtonLink } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import type { Column, ColumnSort } from '@/ui/column';
import { IconButton } from '@/ui/IconButton';
import { TimeWithoutZone } from '@/ui/Time';
import { dateAndTime, plainDate, zoneName } from '@/ui/times';
import { useZone } from '@/ui/zone';
import { deleteOrders, isOffered, ownLabelOf } from './actions/orderActions';
import type { ColumnKey } from './columnSets';
import classes from './columns.module.css';
import { findingsOf } from './findings';
import type { Fit } from './fitColumns';
import { phoneOf } from './phone';
import { RowColleagues } from './RowColleagues';
import { StatusWord } from './StatusChip';

interface CellContext {
  /** The orders that the list has no more, though it still shows them. */
  gone: ReadonlySet<number>;
  /** This list, for the way back from an order. */
  origin: Origin;
  /** Deletes one order; undefined where no row offers it. */
  onDelete: ((row: OrderSummary) => void) | undefined;
  /** Opens the menu of a row; undefined where the row has room for its actions. */
  onMenu: ((row: OrderSummary, anchor: HTMLElement) => void) | undefined;
  /** The column that sorts the list, if one does. */
  sort: (ColumnSort & { key: ColumnKey }) | undefined;
}

type Cell = (row: OrderSummary, context: CellContext, fit: Fit) => ReactNode;

/** The columns of a list. Cells are native elements: a list may show hundreds of rows. */
export function drawColumns(fit: Fit, context: CellContext): Column<OrderSummary>[] {
  return fit.columns.map((column) => ({
    ...column,
    sort: column.key === context.sort?.key ? context.sort : undefined,
    cell: (row) => CELLS[column.key](row, context, fit),
  }));
}

const CELLS: Record<ColumnKey, Cell> = {
  orderId: (row, { origin }) => (
    <span className={classes.id}>
      <Link
        className={classes.number}
        title={row.order_number}
        to={paths.viewOrder(row.order_id)}
        state={fromOrigin(origin)}
      >
        {row.order_id}
      </Link>
      <RowColleagues orderId={row.order_id} />
    </span>
  ),
  name: (row, { origin }, fit) => (
    <>
      <Link
        className={`${classes.text} ${classes.name}`}
        // The number beside it leads to the same order.
        tabIndex={-1}
        dir="auto"
        title={row.full_name}
        to={paths.viewOrder(row.order_id)}
        state={fromOrigin(origin)}
      >
        {row.full_name}
      </Link>
      {fit.emailUnderName && <Email of={row} />}
    </>
  ),
  email: (row) => <Email of={row} />,
  telephone: (row) => <Telephone order={row} />,
  createdAt: (row, _, fit) => (
    <span className={fit.timeUnderDate ? classes.wrapping : undefined}>
      <TimeWithoutZone iso={row.created_at} />
    </span>
  ),
  refundDate: (row) => <RefundDate iso={row.refund_date} />,
  processingDate: (row) => row.processing_date && plainDate(row.processing_date),
  processMonth: (row) => row.process_month,
  comment: ({ newest_comment: comment }) =>
    comment && (
      <span className={classes.comment} dir="auto" title={`${comment.by}: ${comment.text}`}>
        {comment.text}
      </span>
    ),
  owner: (row) =>
    row.assign_to && (
      <span className={classes.owner} title={row.assign_to}>
        <Avatar name={row.assign_to} />
        <span className={classes.text} dir="auto">
          {row.assign_to}
        </span>
      </span>
    ),
  status: (row, { gone }, fit) => (
    <span className={classes.status} data-below={fit.findingsBelow || undefined}>
      {gone.has(row.order_id) ? (
        <span className={classes.gone}>No longer in this list</span>
      ) : (
        <>
          <StatusWord status={row.process_status} />
          <Findings of={row} />
        </>
      )}
    </span>
  ),
  action: (row, { origin, onDelete, onMenu }) =>
    onMenu ? (
      <IconButton
        kind="text"
        label={`Actions of ${row.order_id}`}
        aria-haspopup="menu"
        onClick={({ currentTarget }) => onMenu(row, currentTarget)}
      >
        <path d="M3 8h.01M8 8h.01M13 8h.01" strokeWidth="2.5" />
      </IconButton>
    ) : (
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
        {onDelete && isOffered(deleteOrders, [row]) && (
          <Button
            small
            kind="delete"
            aria-label={`${ownLabelOf(deleteOrders)} ${row.order_id}`}
            onClick={() => onDelete(row)}
          >
            {ownLabelOf(deleteOrders)}
          </Button>
        )}
      </span>
    ),
};

function Email({ of: row }: { of: OrderSummary }) {
  return (
    <span className={classes.email} title={row.contact_email_address}>
      {row.contact_email_address}
    </span>
  );
}

/** The problems of the order, as chips; nothing if there are none. */
function Findings({ of: row }: { of: OrderSummary }) {
  const findings = findingsOf(row);
  if (findings.length === 0) return null;
  return (
    <span className={classes.findings} data-findings>
      {findings.map(({ text, more, tone, title }) => (
        <span key={text} title={title}>
          {tone ? (
            <Chip tone={tone}>
              {text}
              {more && <span className={classes.more}>{more}</span>}
            </Chip>
          ) : (
            <span className={classes.outcome}>{text}</span>
          )}
        </span>
      ))}
    </span>
  );
}

/** The date of the refund; amber while it is due. */
function RefundDate({ iso }: { iso: string | null | undefined }) {
  const zone = useZone();
  if (!iso) return <Chip tone="warn">Due</Chip>;
  const at = dateAndTime(iso, zone);
  return (
    <time dateTime={iso} title={`${at} ${zoneName(iso, zone)}`}>
      {at.slice(0, 10)}
    </time>
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
