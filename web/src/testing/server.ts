import { http, HttpResponse, type HttpResponseResolver, type RequestHandlerOptions } from 'msw';
import { setupServer } from 'msw/node';
import type { paths } from '@/api/schema';
import type {
  BackupState,
  FilingClaim,
  FolderCounts,
  HomeData,
  OrderSummary,
  PaperCheck,
  Permission,
  UserInfo,
} from '@/api/types';
import { allFolders } from '@/features/order/folders';
import { allowedInList } from './allowed';

/**
 * The mock server. Each test adds its own handlers. A PDF has one page, nothing changes, and nobody else files an order, unless the
 * test is about that.
 */
export const server = setupServer(
  http.get('*/api/admin/live', () => new HttpResponse(new ReadableStream())),
  http.put('*/api/admin/claim-filing', () => success({ data: claimOf('Ayu Lestari', true) })),
  http.put('*/api/admin/release-filing', () => success({})),
  http.get('*/api/admin/saved-views', () => success({ data: { may_share: false, views: [] } })),
  http.put('*/api/admin/presence', () => success({})),
  http.get('*/uploads/:name/pages/:size/:page', () => pageImage('a page', 1)),
);

/** The claim of a member who is filing an order. */
export function claimOf(by: string, is_own: boolean): FilingClaim {
  return { by, is_own, since: '2026-11-20T02:41:07Z', until: '2026-11-20T02:42:37Z' };
}

const ORIGIN = location.origin;

/** The image of a page: a text in place of pixels. */
export function pageImage(text: string, pages: number) {
  const headers = { 'Content-Type': 'image/png', 'X-Pages': String(pages) };
  return new HttpResponse(text, { headers });
}

export function orderNumber(id: number, fields: Partial<OrderSummary> = {}): OrderSummary {
  return {
    order_id: id,
    order_number: `VD-${id}`,
    process_status: 'New',
    processing_mode: 'Regular Processing',
    full_name: `Applicant ${id}`,
    contact_email_address: `applicant-${id}@post.example`,
    country_code: '62',
    phone_number: '81200004417',
    created_at: '2026-11-20T02:41:07Z',
    refund_date: null,
    processing_date: null,
    process_month: null,
    assign_to: null,
    nationality: 'Spain',
    updated_at: '2026-11-20T02:41:07Z',
    missing_documents: null,
    mail_problem: null,
    unclear_fields: 0,
    papers_returned: false,
    allowed: allowedInList(),
    ...fields,
  };
}

/** A member with all permissions, or only those in `may`. */
export function member(may?: Partial<Record<Permission, boolean>>): UserInfo {
  const allowed = may === undefined;
  return {
    id: 1,
    name: 'Ayu Lestari',
    email: 'ayu@visadesk.example',
    type: allowed ? 'Admin' : 'Team',
    agency_time_zone: 'Asia/Jakarta',
    list_settings: { density: 'comfortable', hidden_columns: {}, newest_comment: false },
    may: {
      see_order_history: allowed,
      manage_team: allowed,
      set_gateway: allowed,
      see_processed: allowed,
      see_audit: allowed,
      see_access_log: allowed,
      see_backups: allowed,
      manage_api_keys: allowed,
      restore_orders: allowed,
      export_csv: allowed,
      add_phone_orders: allowed,
      edit_paper_reasons: allowed,
      ...may,
    },
  };
}

/** The served counts, a different one for each folder. */
export const counts = Object.fromEntries(
  allFolders.map(({ countKey }, index) => [countKey, 21 + index]),
) as FolderCounts;

/** The state of backups that are made every day, with the changes in `fields`. */
export function backups(fields: Partial<BackupState> = {}): BackupState {
  const at = '2026-11-20T02:41:07Z';
  return {
    place: '/mnt/backups',
    every_hours: 24,
    last_finished_at: at,
    is_overdue: false,
    attempts: [
      {
        place: '/mnt/backups',
        started_at: at,
        finished_at: at,
        state: 'made',
        name: '2026-11-20T02-41-07-000Z',
        files: 120,
        new_files: 4,
        failure: null,
        encrypted: true,
      },
    ],
    ...fields,
  };
}

/** The home screen of a day without work, with the changes in `fields`. */
export function home(fields: Partial<HomeData> = {}): HomeData {
  const group = { total: 0, more: false, orders: [] };
  return {
    as_of: '2026-11-20T02:45:00Z',
    groups: [
      { ...group, group: 'priority', folder: 'priorityOrder' },
      { ...group, group: 'disputes', folder: 'chargeBackOrder' },
      { ...group, group: 'emails', folder: 'allOrder' },
      { ...group, group: 'untouched', folder: 'allOrder' },
    ],
    numbers: null,
    my_day: { open: 0, completed_today: 0 },
    first_run: [],
    ...fields,
  };
}

/** The papers of an order that needs none, with these checks. */
export function orderPapers(checks: PaperCheck[] = []) {
  return { papers: [], request: null, may_ask: false, language: 'en' as const, checks };
}

/** Signs the browser in and serves the member, the counts, and what screens ask for besides their rows. */
export function signedInAs(me: UserInfo): void {
  const payload = btoa(JSON.stringify({ user: { id: me.id, name: me.name, type: me.type } }));
  localStorage.setItem('user', JSON.stringify({ accessToken: `head.${payload}.signature` }));
  server.use(
    get('/api/user_info', () => success({ data: me })),
    get('/api/admin/get-all-folder-count', () => success({ data: counts })),
    get('/api/admin/backups', () => success({ data: backups() })),
    get('/api/admin/row-budgets', () => success({ data: [] })),
    get('/api/admin/home', () => success({ data: home() })),
    get('/api/admin/order-papers/:orderId', () => success({ data: orderPapers() })),
    get('/api/admin/order-duplicates/:orderId', () =>
      success({ data: { orders: [], more: false } }),
    ),
    get('/api/admin/refund-approval-counts', () => success({ data: { to_decide: 0, own: 0 } })),
    get('/api/admin/waiting-refund-mails', () =>
      success({ data: { order_ids: [], leave_at: null } }),
    ),
  );
}

/** The path of a call as the contract spells it: `{orderId}` for `:orderId`. */
type InContract<Path extends string> = Path extends `${infer Start}:${infer Name}/${infer End}`
  ? `${Start}{${Name}}/${InContract<End>}`
  : Path extends `${infer Start}:${infer Name}`
    ? `${Start}{${Name}}`
    : Path;

/** The answer of a call, by the contract. */
type AnswerOf<Path extends string, Method extends string> =
  InContract<Path> extends keyof paths
    ? paths[InContract<Path>] extends {
        [name in Method]: {
          responses: { 200: { content: { 'application/json': infer Answer } } };
        };
      }
      ? Answer
      : unknown
    : unknown;

/** The place of the type of an answer. A refusal and a broken answer have none. */
declare const ANSWER: unique symbol;

type Respond<Answer> = (
  info: Parameters<HttpResponseResolver>[0],
) => MaybePromise<(Response & { [ANSWER]?: Answer }) | undefined | void>;

type MaybePromise<Value> = Value | Promise<Value>;

/** Serves calls of one method. An answer that the contract does not allow is no valid type. */
const serve =
  <Method extends 'get' | 'post' | 'put'>(method: Method) =>
  <Path extends string>(
    path: Path,
    respond: Respond<AnswerOf<Path, Method>>,
    options?: RequestHandlerOptions,
  ) =>
    http[method](`${ORIGIN}${path}`, respond, options);

export const get = serve('get');
export const post = serve('post');
export const put = serve('put');

/** Serves `PUT path` with `respond`. Returns the bodies that it is sent. */
export function takePuts<Body>(path: string, respond: (body: Body) => Response): Body[] {
  const sent: Body[] = [];
  server.use(
    put(path, async ({ request }) => {
      const body = (await request.json()) as Body;
      sent.push(body);
      return respond(body);
    }),
  );
  return sent;
}

/** Serves every undo as done, with `message`. Returns the ids of the undone events. */
export function takeUndos(message = 'Undone: order 100234 is as it was before'): number[] {
  const events: number[] = [];
  server.use(
    post('/api/admin/undo', async ({ request }) => {
      const { eventId } = (await request.json()) as { eventId: number };
      events.push(eventId);
      return success({ changed: 1, undo: null }, message);
    }),
  );
  return events;
}

/** Returns the part of the answer to a change about its undo: it can be undone for ten minutes. */
export const undoOf = (eventId: number, minutes = 10) => ({
  changed: 1,
  undo: { event_id: eventId, until: new Date(Date.now() + minutes * 60_000).toISOString() },
});

/** The server's folders. They are spelled here so that the app's own table cannot prove itself. */
const FOLDERS = [
  'myOrder',
  'newOrder',
  'priorityOrder',
  'pendingOrder',
  'futureOrder',
  'awaitingOrder',
  'awaitingGovtOrder',
  'contactCustomerOrder',
  'customerCalledOrder',
  'completedOrder',
  'refundOrder',
  'chargeBackOrder',
  'deletedOrder',
  'allOrder',
] as const;

/** Serves the lists of all folders: `folder` has these rows, the others none. */
export function listOf(
  folder: (typeof FOLDERS)[number],
  rows: OrderSummary[],
  total = rows.length,
) {
  return get('/api/admin/get-orders-list/:orderName', ({ request, params }) => {
    const { orderName } = params;
    if (!FOLDERS.some((known) => known === orderName)) {
      return refusal(404, `There is no folder ${String(orderName)}`, 'unknown_folder');
    }
    const search = new URL(request.url).searchParams;
    const page = Number(search.get('page'));
    const limit = Number(search.get('limit'));
    const isAsked = orderName === folder;
    const data = isAsked ? rows : [];
    return success({ data, total: isAsked ? total : 0, more: false, page, limit });
  });
}

export function success<Body extends object>(body: Body, message = 'OK') {
  const response: Response = HttpResponse.json({ status: 1, message, ...body });
  return response as Response & { [ANSWER]: Body & { status: number; message: string } };
}

/** An error; `code` is the stable name of its reason. */
export function refusal(status: number, message: string, code = 'refused', data?: object) {
  return HttpResponse.json({ status: 0, code, message, data }, { status });
}
