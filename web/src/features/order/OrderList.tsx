import { useCallback, useEffect, useMemo, useState, type ReactNode } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { ListSettings, OrderSummary, UserInfo } from '@/api/types';
import { fromOrigin, scrollKeyOf } from '@/paths/origin';
import { paths } from '@/paths/staffPaths';
import { Button, ButtonLink } from '@/ui/Button';
import { now } from '@/ui/clock';
import { ListScreen } from '@/ui/ListScreen';
import { LoadedTable } from '@/ui/LoadedTable';
import { SearchBox } from '@/ui/SearchBox';
import { focusedIndex } from '@/ui/useRowHotkeys';
import { useMedia } from '@/ui/useMedia';
import { useScrollMemory } from '@/ui/useScrollMemory';
import { useWidth } from '@/ui/useWidth';
import { zoneName } from '@/ui/times';
import { useZone } from '@/ui/zone';
import { WaitingApprovals } from './approvals/WaitingApprovals';
import { BulkBar } from './BulkBar';
import { deleteOrders, isOffered, stopMails, type OrderAction } from './actions/orderActions';
import { offerOf, useOffers, type Offer } from './actions/offers';
import { useActionKeys } from './actions/useActionKeys';
import { useOrderActions } from './actions/useOrderActions';
import classes from './OrderList.module.css';
import { drawColumns } from './columns';
import { withComments } from './columnSets';
import { fitColumns } from './fitColumns';
import { isEmpty } from './filters/filterKeys';
import { ListFilters } from './filters/ListFilters';
import { folders, type Folder } from './folders';
import { ListFooter } from './ListFooter';
import { emptyReason, limitedText, nationalitiesOf, ordersText, selectedText } from './listTexts';
import { ListTools } from './ListTools';
import { NeedFilter } from './NeedFilter';
import { ordersFile } from './orderQueries';
import { rememberTrail } from './orderTrail';
import { columnSort } from './columnSort';
import { PhoneSort } from './PhoneSort';
import { RowMenu, type OpenMenu } from './RowMenu';
import { ANY_STATUS, statusWidth } from './statusWidth';
import { UrgencySwitch } from './UrgencySwitch';
import { useListParams } from './useListParams';
import { useLiveRows } from './useLiveRows';
import { useOrderRows } from './useOrderRows';
import { formatCount } from '@/ui/numbers';
import { sentSort } from './savedViews/savedViewCalls';
import { ViewTools } from './savedViews/ViewTools';
import { useSelection } from './useSelection';
import { WaitingRefundMails } from './WaitingRefundMails';

interface OrderListProps {
  folder: Folder;
  me: UserInfo;
  /** Saves how the member wants to see lists. */
  onSettings: (settings: ListSettings) => void;
  /** A month of the future list. */
  month?: { month: string; year: number };
  /** Shown before the heading, such as a Back button. */
  before?: ReactNode;
}

/** An order list: search, table, bulk actions and pages. Its state is in the URL. */
export function OrderList({ folder, me, onSettings, month, before }: OrderListProps) {
  const navigate = useNavigate();
  const location = useLocation();
  const params = useListParams();
  const { page, limit, q, needs, setPage, setLimit, setQ } = params;
  const hasSort = folder.hasUrgency && !needs;
  const sort = needs ? undefined : sentSort(folder.orderName, params.sort);
  const filter = useMemo(
    () => ({ orderName: folder.orderName, q, sort, needs, filter: params.filter, ...month }),
    [folder.orderName, q, sort, needs, params.filter, month],
  );
  const isFiltered = !isEmpty(params.filter);
  const isPhone = useMedia('(max-width: 767px)');
  const settings = me.list_settings;
  // No row of Contact Customer shows a telephone number, and a comment may have one.
  const mayComment = folder !== folders.contactCustomerOrder;
  const hasComments = settings.newest_comment && mayComment && !isPhone;
  const comments = hasComments ? ('newest' as const) : undefined;
  const list = useOrderRows({ ...filter, page, limit, comments }, me.name);
  const { total, more } = list;
  const present = useMemo(() => list.rows?.filter((row) => row !== undefined) ?? [], [list.rows]);
  const knownPages = limit === 'All' ? 1 : Math.max(1, Math.ceil(total / limit));
  const lastPage = more && limit !== 'All' ? knownPages + 1 : knownPages;
  const view = JSON.stringify([page, limit, q, sort, needs, params.filter]);
  const live = useLiveRows({
    orderName: folder.orderName,
    userName: me.name,
    rows: present,
    view,
    filter: params.filter,
    comments,
    hasNews: page === (sort === 'reversed' ? lastPage : 1) && !q && !needs && !month,
    newFrom: newFrom(
      present,
      !more && present.length >= total,
      sort === 'urgency' || (sort === 'reversed' && limit === 'All'),
    ),
  });
  const { selected, toggle, toggleAll, drop } = useSelection(view, present);
  const { perform, follow, busy, dialog } = useOrderActions({ drop });
  const target = useCallback(
    (ids: readonly number[]) => ({ ids: [...ids], me, folderName: folder.orderName }),
    [me, folder],
  );

  const here = location.pathname + location.search;
  const scrollKey = scrollKeyOf(location);
  const origin = useMemo(
    () => ({ label: 'Back to list', path: here, scrollKey }),
    [here, scrollKey],
  );
  const zone = useZone();
  // An empty list keeps the width of one with rows.
  const deletable =
    folder.withoutRowDelete !== true &&
    (present.length === 0 || present.some(({ allowed }) => allowed.delete));
  const isReady = present.length > 0 && !list.isStale;
  const scroller = useScrollMemory<HTMLDivElement>(scrollKey, isReady);
  const width = useWidth(scroller);
  const hasMenu = useMedia('(max-width: 991px)');
  const [menu, setMenu] = useState<OpenMenu>();
  const hidden = settings.hidden_columns[folder.orderName] ?? NONE;
  const status = useMemo(
    // The columns of a list that loads while it is scrolled stay where they are.
    () => (list.rows?.includes(undefined) ? ANY_STATUS : statusWidth(present)),
    [list.rows, present],
  );
  const titles = useMemo(
    () => (comments ? withComments(folder.columns) : folder.columns),
    [comments, folder],
  );
  const fit = useMemo(
    () =>
      fitColumns(titles, {
        widthPx: isPhone ? 0 : Math.max(0, width - SCROLLBAR_PX),
        hidden: isPhone ? NONE : hidden,
        deletable,
        status,
        hasMenu,
      }),
    [titles, isPhone, width, hidden, deletable, status, hasMenu],
  );
  const onDelete = useCallback(
    (row: OrderSummary) => void perform(deleteOrders, target([row.order_id])),
    [perform, target],
  );
  const columns = useMemo(
    () =>
      drawColumns(fit, {
        gone: live.gone,
        origin,
        onDelete: deletable ? onDelete : undefined,
        onMenu: hasMenu ? (row, anchor) => setMenu({ row, anchor }) : undefined,
        sort: needs ? undefined : columnSort(folder, params.sort, params.setSort),
      }),
    [
      fit,
      live.gone,
      origin,
      deletable,
      onDelete,
      hasMenu,
      folder,
      needs,
      params.sort,
      params.setSort,
    ],
  );

  useEffect(() => {
    // Rows of the previous page are not those of this address.
    if (list.isStale) return;
    rememberTrail(
      present.map((row) => row.order_id),
      here,
      limit === 'All' ? null : { request: { ...filter, page, limit }, total, more },
    );
  }, [present, list.isStale, here, filter, page, limit, total, more]);

  // Deleting the last rows of the last page leaves `page` behind the end.
  const isBehindEnd = list.rows !== undefined && !list.isStale && page > lastPage;
  useEffect(() => {
    if (isBehindEnd && list.error === null) setPage(lastPage, { replace: true });
  }, [isBehindEnd, list.error, lastPage, setPage]);

  const selectedRows = present.filter((row) => selected.has(row.order_id));
  const ids = selectedRows.map((row) => row.order_id);
  useActionKeys(folder.bulk, (action) => {
    const row = list.rows?.[focusedIndex(scroller.current) ?? -1];
    const rows = selectedRows.length === 0 && row ? [row] : selectedRows;
    if (busy || !isOffered(action, rows)) return;
    void perform(action, target(rows.map((one) => one.order_id)));
  });

  useOffers(() => [
    ...bulkOffers(folder, selectedRows, (action) => void perform(action, target(ids))),
    densityOffer(settings, onSettings),
  ]);

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
            {list.limited && ` · ${limitedText(folder)}`}
            {live.news > 0 && (
              <>
                {' · '}
                <Button
                  small
                  onClick={() => {
                    live.clearNews();
                    list.refetch();
                  }}
                >
                  {live.news === 1 ? '1 new order' : `${formatCount(live.news)} new orders`}, show
                </Button>
              </>
            )}
          </>
        )
      }
      action={
        (folder.hasWaitingMails && (
          <>
            <WaitingApprovals />
            <WaitingRefundMails
              busy={busy}
              onStop={(waiting) => follow(stopMails, target(waiting))}
            />
          </>
        )) ||
        (folder === folders.pendingOrder && me.may.add_phone_orders && (
          <ButtonLink to={paths.newPhoneOrder}>Add order by phone</ButtonLink>
        ))
      }
      busy={list.rows === undefined || list.isStale}
      bar={
        <div className={classes.bar}>
          <div className={classes.controls} data-covered={selectedRows.length > 0 || undefined}>
            <SearchBox
              label={`Search this ${place}`}
              value={q}
              onSearch={setQ}
              isReady={list.rows !== undefined && !list.isStale}
            />
            {needs && <NeedFilter needs={needs} onShowAll={params.showAll} />}
            {hasSort && <UrgencySwitch sort={params.sort} onSort={params.setSort} />}
            {isPhone && !needs && (
              <PhoneSort folder={folder} sort={params.sort} onSort={params.setSort} />
            )}
            <ListFilters
              orderName={folder.orderName}
              filter={params.filter}
              nationalities={nationalitiesOf(present)}
              onFilter={params.setFilter}
            >
              {!q && !needs && !month && (
                <ViewTools orderName={folder.orderName} filter={params.filter} sort={params.sort} />
              )}
            </ListFilters>
            <ListTools
              titles={folder.columns}
              fit={fit}
              hidden={hidden}
              density={settings.density}
              hasComments={settings.newest_comment}
              onComments={
                mayComment
                  ? (newest_comment) => onSettings({ ...settings, newest_comment })
                  : undefined
              }
              onDensity={(density) => onSettings({ ...settings, density })}
              onHide={(columns) =>
                onSettings({
                  ...settings,
                  hidden_columns: { ...settings.hidden_columns, [folder.orderName]: columns },
                })
              }
              loadFile={
                me.may.export_csv ? (signal) => ordersFile(filter, me.name, signal) : undefined
              }
            />
          </div>
          <BulkBar
            actions={folder.bulk}
            rows={selectedRows}
            selected={selectedText(ids.length, present.length, list, lastPage)}
            busy={busy}
            onRun={(action) => void perform(action, target(ids))}
            onClear={() => drop(ids)}
          />
        </div>
      }
    >
      <LoadedTable
        label={title}
        scroller={scroller}
        columns={columns}
        fitted={{ density: settings.density, twoLines: fit.twoLines }}
        rows={isBehindEnd ? undefined : list.rows}
        rowId={rowId}
        selection={{ selected, onToggle: toggle, onToggleAll: () => toggleAll(present) }}
        onOpen={(row) =>
          void navigate(paths.viewOrder(row.order_id), { state: fromOrigin(origin) })
        }
        onRange={list.onRange}
        error={list.error}
        onRetry={list.refetch}
        emptyReason={emptyReason(place, q, needs, isFiltered)}
        clearLabel={q ? 'Clear search' : 'Clear filters'}
        onClear={q ? () => setQ('') : isFiltered ? () => params.setFilter({}) : undefined}
      />
      {list.rows && list.rows.length > 0 && (
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
      {selectedRows.length > 0 && <div className={classes.belowRows} />}
      {dialog}
      {menu && (
        <RowMenu
          {...menu}
          origin={origin}
          onDelete={deletable ? onDelete : undefined}
          onClose={() => setMenu(undefined)}
        />
      )}
    </ListScreen>
  );
}

/** Newer orders have higher ids. Without their sequence, only the whole list says which orders it does not show. */
function newFrom(rows: readonly OrderSummary[], isWhole: boolean, isMixed: boolean): number {
  if (isWhole) return 0;
  return isMixed ? Infinity : Math.min(...rows.map((row) => row.order_id));
}

/** The actions on the selected orders, for the command palette. */
function bulkOffers(
  folder: Folder,
  rows: readonly OrderSummary[],
  run: (action: OrderAction) => void,
): Offer[] {
  if (rows.length === 0) return [];
  return folder.bulk
    .filter((action) => isOffered(action, rows))
    .map((action) => offerOf(action, `${formatCount(rows.length)} selected`, () => run(action)));
}

function densityOffer(settings: ListSettings, onSettings: (settings: ListSettings) => void): Offer {
  const density = settings.density === 'compact' ? 'comfortable' : 'compact';
  return {
    label: density === 'compact' ? 'Compact rows' : 'Comfortable rows',
    run: () => onSettings({ ...settings, density }),
  };
}

/** The room that the scrollbar may take. */
const SCROLLBAR_PX = 16;

const NONE: readonly string[] = [];

const rowId = (row: OrderSummary) => row.order_id;
