import { useEffect, useMemo, type ReactNode } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { OrderSummary, UserInfo } from '@/api/types';
import { fromOrigin, scrollKeyOf } from '@/paths/origin';
import { paths } from '@/paths/staffPaths';
import { now } from '@/ui/clock';
import { ListScreen } from '@/ui/ListScreen';
import { LoadedTable } from '@/ui/LoadedTable';
import { SearchBox } from '@/ui/SearchBox';
import { useHotkeys } from '@/ui/useHotkeys';
import { useScrollMemory } from '@/ui/useScrollMemory';
import { zoneName } from '@/ui/times';
import { WaitingApprovals } from './approvals/WaitingApprovals';
import { BulkBar } from './BulkBar';
import { assignToMe, deleteOrders, isOffered, stopMails } from './bulkActions';
import { drawColumns } from './columns';
import type { Folder } from './folders';
import { ListFooter } from './ListFooter';
import { rememberTrail } from './orderTrail';
import { useBulk } from './useBulk';
import { useListParams } from './useListParams';
import { useOrderRows } from './useOrderRows';
import { formatCount } from '@/ui/numbers';
import { useSelection } from './useSelection';
import { WaitingRefundMails } from './WaitingRefundMails';

interface OrderListProps {
  folder: Folder;
  me: UserInfo;
  /** One month of the future list. */
  month?: { month: string; year: number };
  /** Shown before the heading, such as a Back button. */
  before?: ReactNode;
}

/** One order list: search, table, bulk actions and pages. Its state lives in the URL. */
export function OrderList({ folder, me, month, before }: OrderListProps) {
  const navigate = useNavigate();
  const location = useLocation();
  const { page, limit, q, setPage, setLimit, setQ } = useListParams();
  const filter = useMemo(
    () => ({ orderName: folder.orderName, q, ...month }),
    [folder.orderName, q, month],
  );
  const list = useOrderRows({ ...filter, page, limit }, me.name);
  const { total, more } = list;
  const present = useMemo(() => list.rows?.filter((row) => row !== undefined) ?? [], [list.rows]);
  const { selected, toggle, toggleAll, drop } = useSelection(`${page} ${limit} ${q}`, present);
  const context = useMemo(() => ({ me, folderName: folder.orderName }), [me, folder]);
  const { perform, follow, busy, dialog } = useBulk(context, drop);

  const here = location.pathname + location.search;
  const scrollKey = scrollKeyOf(location);
  const origin = useMemo(
    () => ({ label: 'Back to list', path: here, scrollKey }),
    [here, scrollKey],
  );
  const zone = me.agency_time_zone;
  // An empty list keeps the width of one with rows.
  const deletable =
    folder.withoutRowDelete !== true &&
    (present.length === 0 || present.some(({ allowed }) => allowed.delete));
  const columns = useMemo(() => {
    const onDelete = (row: OrderSummary) => void perform(deleteOrders, [row.order_id]);
    return drawColumns(folder.columns, {
      zone,
      origin,
      onDelete: deletable ? onDelete : undefined,
    });
  }, [folder, zone, origin, deletable, perform]);

  useEffect(() => {
    rememberTrail(
      present.map((row) => row.order_id),
      here,
      limit === 'All' ? null : { request: { ...filter, page, limit }, total, more },
    );
  }, [present, here, filter, page, limit, total, more]);

  // Deleting the last rows of the last page leaves `page` behind the end.
  const knownPages = limit === 'All' ? 1 : Math.max(1, Math.ceil(list.total / limit));
  const lastPage = list.more && limit !== 'All' ? knownPages + 1 : knownPages;
  const isBehindEnd = list.rows !== undefined && !list.isStale && page > lastPage;
  useEffect(() => {
    if (isBehindEnd && list.error === null) setPage(lastPage, { replace: true });
  }, [isBehindEnd, list.error, lastPage, setPage]);

  const isReady = present.length > 0 && !list.isStale;
  const scroller = useScrollMemory<HTMLDivElement>(scrollKey, isReady);
  const selectedRows = present.filter((row) => selected.has(row.order_id));
  const ids = selectedRows.map((row) => row.order_id);
  useHotkeys({
    a: () => {
      const action = folder.bulk.find((action) => action === assignToMe);
      if (action && isOffered(action, selectedRows)) void perform(action, ids);
    },
  });

  const place = month ? 'month' : 'folder';
  const title = month ? `${folder.title}: ${month.month} ${month.year}` : folder.title;
  return (
    <ListScreen
      title={title}
      before={before}
      summary={
        list.rows && (
          <>
            {ordersText(list.total, list.more)}
            {list.rows.length > 0 && ` · times in ${zoneName(now().toISOString(), zone)}`}
          </>
        )
      }
      action={
        folder.hasWaitingMails && (
          <>
            <WaitingApprovals />
            <WaitingRefundMails
              zone={zone}
              busy={busy}
              onStop={(waiting) => void follow(stopMails, waiting)}
            />
          </>
        )
      }
      busy={list.rows === undefined || list.isStale}
      bar={
        <>
          <SearchBox label={`Search this ${place}`} value={q} onSearch={setQ} />
          <BulkBar
            actions={folder.bulk}
            rows={selectedRows}
            busy={busy}
            onRun={(action) => void perform(action, ids)}
            onClear={() => drop(ids)}
          />
        </>
      }
    >
      <LoadedTable
        label={title}
        scroller={scroller}
        columns={columns}
        rows={isBehindEnd ? undefined : list.rows}
        rowId={rowId}
        selection={{ selected, onToggle: toggle, onToggleAll: () => toggleAll(present) }}
        onOpen={(row) =>
          void navigate(paths.viewOrder(row.order_id), { state: fromOrigin(origin) })
        }
        onRange={list.onRange}
        error={list.error}
        onRetry={list.refetch}
        emptyReason={
          q ? `Nothing in this ${place} matches “${q}”.` : `There is no order in this ${place}.`
        }
        onClearSearch={q ? () => setQ('') : undefined}
      />
      {list.rows && (
        <ListFooter
          page={page}
          pages={lastPage}
          limit={limit}
          total={list.total}
          more={list.more}
          shown={present.length}
          onPage={setPage}
          onLimit={setLimit}
        />
      )}
      {dialog}
    </ListScreen>
  );
}

const rowId = (row: OrderSummary) => row.order_id;

function ordersText(total: number, more: boolean): string {
  return `${more ? 'more than ' : ''}${formatCount(total)} ${total === 1 ? 'order' : 'orders'}`;
}
