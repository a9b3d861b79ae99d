import { useEffect, useMemo, type ReactNode } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { OrderSummary, UserInfo } from '@/api/types';
import { paths } from '@/paths/staffPaths';
import { now } from '@/ui/clock';
import { DataTable } from '@/ui/DataTable';
import { ListNotice } from '@/ui/ListNotice';
import { ListBelow, ListScreen } from '@/ui/ListScreen';
import { SearchBox } from '@/ui/SearchBox';
import { useDelayed } from '@/ui/useDelayed';
import { useHotkeys } from '@/ui/useHotkeys';
import { useScrollMemory } from '@/ui/useScrollMemory';
import { zoneName } from '@/ui/times';
import { BulkBar } from './BulkBar';
import { assignToMe, deleteOrders } from './bulkActions';
import { drawColumns } from './columns';
import { mayDeleteRow, type Folder } from './folders';
import { ListFooter } from './ListFooter';
import { rememberTrail } from './orderTrail';
import { useBulk } from './useBulk';
import { useListParams } from './useListParams';
import { useOrderRows } from './useOrderRows';
import { useSelection } from './useSelection';

const SKELETON_AFTER_MS = 150;
const SKELETON_ROWS: readonly undefined[] = Array.from({ length: 10 });

interface OrderListProps {
  folder: Folder;
  me: UserInfo;
  /** One month of the future list. */
  month?: { month: string; year: number };
  /** What stands before the heading, such as a Back button. */
  before?: ReactNode;
}

/** One order list: search, table, bulk actions and pages. Its state lives in the URL. */
export function OrderList({ folder, me, month, before }: OrderListProps) {
  const navigate = useNavigate();
  const location = useLocation();
  const { page, limit, q, setPage, setLimit, setQ } = useListParams();
  const list = useOrderRows({ orderName: folder.orderName, page, limit, q, ...month }, me.name);
  const present = useMemo(() => list.rows.filter((row) => row !== undefined), [list.rows]);
  const { selected, toggle, toggleAll, drop } = useSelection(`${page} ${limit} ${q}`);
  const context = useMemo(() => ({ me, folderName: folder.orderName }), [me, folder]);
  const { perform, busy, dialog } = useBulk(context, drop);

  const zone = me.agency_time_zone;
  const deletable = mayDeleteRow(folder, me.may);
  const columns = useMemo(() => {
    const onDelete = (row: OrderSummary) => void perform(deleteOrders, [row.order_id]);
    return drawColumns(folder.columns, { zone, onDelete: deletable ? onDelete : undefined });
  }, [folder, zone, deletable, perform]);

  const here = location.pathname + location.search;
  useEffect(() => {
    rememberTrail(
      present.map((row) => row.order_id),
      here,
    );
  }, [present, here]);

  // Deleting the last rows of the last page leaves it behind the end.
  const knownPages = limit === 'All' ? 1 : Math.max(1, Math.ceil(list.total / limit));
  const lastPage = list.more && limit !== 'All' ? knownPages + 1 : knownPages;
  useEffect(() => {
    if (!list.isLoading && !list.isStale && list.error === null && page > lastPage) {
      setPage(lastPage, { replace: true });
    }
  }, [list, page, lastPage, setPage]);

  const isReady = list.rows.length > 0 && !list.isStale;
  const scroller = useScrollMemory<HTMLDivElement>(location.key, isReady);
  const ids = [...selected.keys()];
  useHotkeys({
    a: () => {
      if (folder.bulk.includes(assignToMe)) void perform(assignToMe, ids);
    },
  });

  const isSlow = useDelayed(list.isLoading, SKELETON_AFTER_MS);
  const isKnown = !list.isLoading && (list.error === null || present.length > 0);
  const isEmpty = isKnown && list.total === 0;
  const place = month ? 'month' : 'folder';
  const title = month ? `${folder.title}: ${month.month} ${month.year}` : folder.title;

  return (
    <ListScreen
      title={title}
      before={before}
      summary={
        <>
          {isKnown && orders(list.total, list.more)}
          {list.rows.length > 0 && ` · times in ${zoneName(now().toISOString(), zone)}`}
        </>
      }
      busy={list.isLoading || list.isStale}
      bar={
        <>
          <SearchBox label={`Search this ${place}`} value={q} onSearch={setQ} />
          <BulkBar
            actions={folder.bulk}
            may={me.may}
            ids={ids}
            busy={busy}
            onRun={(action) => void perform(action, ids)}
            onClear={() => drop(ids)}
          />
        </>
      }
    >
      <DataTable
        label={title}
        scroller={scroller}
        columns={columns}
        rows={list.isLoading && isSlow ? SKELETON_ROWS : list.rows}
        rowId={rowId}
        selection={{ selected, onToggle: toggle, onToggleAll: () => toggleAll(present) }}
        onOpen={(row) => void navigate(paths.viewOrder(row.order_id))}
        onRange={list.onRange}
      >
        {list.error && present.length === 0 && (
          <ListNotice
            text={list.error.message}
            action={{ label: 'Try again', onClick: list.refetch }}
          />
        )}
        {isEmpty && <EmptyNotice place={place} q={q} onClear={() => setQ('')} />}
      </DataTable>
      {isEmpty && <ListBelow>No data available in table</ListBelow>}
      {list.error && present.length > 0 && (
        <ListBelow role="alert">
          {list.error.message}{' '}
          <button type="button" className="button" data-small onClick={list.refetch}>
            Try again
          </button>
        </ListBelow>
      )}
      {isKnown && (
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

interface EmptyNoticeProps {
  place: 'month' | 'folder';
  q: string;
  onClear: () => void;
}

function EmptyNotice({ place, q, onClear }: EmptyNoticeProps) {
  if (!q)
    return <ListNotice text="No records found" reason={`There is no order in this ${place}.`} />;
  return (
    <ListNotice
      text="No records found"
      reason={`Nothing in this ${place} matches “${q}”.`}
      action={{ label: 'Clear search', onClick: onClear }}
    />
  );
}

const rowId = (row: OrderSummary) => row.order_id;

const numbers = new Intl.NumberFormat('en');

function orders(total: number, more: boolean): string {
  return `${more ? 'more than ' : ''}${numbers.format(total)} ${total === 1 ? 'order' : 'orders'}`;
}
