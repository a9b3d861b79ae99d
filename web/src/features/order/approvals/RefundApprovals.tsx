import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { RefundRequest } from '@/api/types';
import { paths } from '@/paths/staffPaths';
import { Button, ButtonLink } from '@/ui/Button';
import { Chip, type Tone } from '@/ui/Chip';
import type { Column } from '@/ui/column';
import { ListScreen } from '@/ui/ListScreen';
import { LoadedTable } from '@/ui/LoadedTable';
import { formatCount } from '@/ui/numbers';
import { Time } from '@/ui/Time';
import { refundApprovalsQuery } from './approvalCalls';
import { ordersText, RefundRequestDialog } from './RefundRequestDialog';
import { sumsText } from './sumsText';

/** The requests for refunds that wait for a second person, the oldest first, then those that ended lately. */
export function RefundApprovals() {
  const { data, error, isFetching, refetch } = useQuery(refundApprovalsQuery);
  const [openId, setOpenId] = useState<number | null>(null);
  const open = data?.requests.find(({ approval_id: id }) => id === openId);
  const listed = data?.requests.filter(({ state }) => state === 'Waiting').length ?? 0;
  return (
    <ListScreen
      title="Refund Approvals"
      before={
        <ButtonLink small to={paths.refundOrder}>
          <span aria-hidden="true">←</span> Refunds
        </ButtonLink>
      }
      summary={data && waitingText(data.waiting, listed)}
      busy={isFetching}
      bar="Another Admin or Manager decides about each request within 7 days."
    >
      <LoadedTable
        label="Refund Approvals"
        columns={columnsOf(({ approval_id: id }) => setOpenId(id))}
        rows={data?.requests}
        rowId={({ approval_id: id }) => id}
        onOpen={({ approval_id: id }) => setOpenId(id)}
        error={error}
        onRetry={() => void refetch()}
        emptyReason="No refund waits for approval, and none was decided in the last 7 days."
      />
      {open && (
        <RefundRequestDialog
          key={open.approval_id}
          request={open}
          onClose={() => setOpenId(null)}
        />
      )}
    </ListScreen>
  );
}

function waitingText(waiting: number, listed: number): string {
  const text = `${formatCount(waiting)} waiting`;
  return listed < waiting ? `${text}, the oldest ${listed} are shown` : text;
}

const TONES: Readonly<Record<RefundRequest['state'], Tone>> = {
  Waiting: 'warn',
  Approved: 'done',
  Declined: 'danger',
  Withdrawn: 'neutral',
  Expired: 'neutral',
};

function columnsOf(onOpen: (request: RefundRequest) => void): Column<RefundRequest>[] {
  return [
    {
      title: 'Requested by',
      widthPx: 150,
      grows: true,
      cell: ({ requested_by }) => <bdi title={requested_by}>{requested_by}</bdi>,
    },
    {
      title: 'Date & Time',
      widthPx: 190,
      narrowPx: 96,
      cell: ({ requested_at }) => <Time iso={requested_at} />,
    },
    {
      title: 'Orders',
      widthPx: 76,
      cell: ({ order_ids }) => formatCount(order_ids.length),
    },
    {
      title: 'Sum',
      widthPx: 180,
      grows: true,
      cell: (request) => {
        const sums = sumsText(request);
        return <span title={sums}>{sums}</span>;
      },
    },
    {
      title: 'State',
      widthPx: 112,
      narrowPx: 100,
      cell: ({ state }) => <Chip tone={TONES[state]}>{state}</Chip>,
    },
    {
      title: 'Decided by',
      widthPx: 130,
      grows: true,
      cell: ({ decided_by }) => decided_by && <bdi title={decided_by}>{decided_by}</bdi>,
    },
    {
      title: 'Action',
      widthPx: 96,
      cell: (request) => (
        <Button
          small
          aria-label={`${labelOf(request)} the request of ${request.requested_by}, ${ordersText(request.order_ids.length)}`}
          onClick={() => onOpen(request)}
        >
          {labelOf(request)}
        </Button>
      ),
    },
  ];
}

function labelOf({ allowed }: RefundRequest): string {
  return allowed.decide ? 'Review' : 'View';
}
