import createClient, { type Middleware } from 'openapi-fetch';
import { ApiError, type RefusalData } from './ApiError';
import { isAttended } from './attendance';
import { type AttemptHeaders, IDEMPOTENCY_KEY, newAttempt } from './attempt';
import type { paths } from './schema';
import { storedLogin } from './storedLogin';

export const UNREACHABLE =
  'The server cannot be reached. Please check your connection and try again.';
const UNREADABLE = 'The server’s answer could not be read. Please try again.';
/** The header of requests that no person caused, such as those of a dashboard that reloads itself. */
const BACKGROUND = 'x-background';
const OUTDATED = 'Visadesk was updated while this page was open. Please reload the page.';
/** The codes of a call that the server does not have: a newer release than this app's has removed it. */
const UNKNOWN_CALL = new Set(['no_such_address', 'method_not_allowed']);
const SESSION_ENDED = 'Your session has ended. Please sign in again.';

/** The one client. Wrap its calls in `answer`. */
export const api = createClient<paths>({
  baseUrl: location.origin,
  fetch: (request) => sendWithProof(request),
});

/** The envelope of every answer: status 1 is success, anything else an error. */
export interface Envelope {
  status: number;
  message: string;
  data?: unknown;
}

interface ErrorBody extends Envelope {
  code: string;
  data?: RefusalData;
}

interface Result<Body> {
  data?: Body;
  error?: unknown;
  response: Response;
}

/** Awaits a call. Returns its body, or throws an ApiError with the server's message. */
export async function answer<Body extends Envelope>(call: Promise<Result<Body>>): Promise<Body> {
  const { data, error, response } = await arrival(call);
  if (data?.status === 1) return data;
  throw refusalOf(data ?? error, response.status);
}

/** Awaits a call, and returns the data of its body. Throws as `answer` does. */
export async function dataOf<Body extends Envelope & { data: unknown }>(
  call: Promise<Result<Body>>,
): Promise<Body['data']> {
  return (await answer(call)).data;
}

/** The paths of the calls that are posted as JSON. */
export type PostPath = {
  [Path in keyof paths]: paths[Path] extends { post: JsonRequest } ? Path : never;
}[keyof paths];

interface JsonRequest {
  requestBody: { content: { 'application/json': unknown } };
}

export type PostBody<Path extends PostPath> = paths[Path] extends { post: infer Post }
  ? Post extends JsonRequest
    ? Post['requestBody']['content']['application/json']
    : never
  : never;

/** Posts JSON as an attempt of a request. Returns its answer, and throws as `answer` does. */
export function postJson<Path extends PostPath>(
  path: Path,
  body: PostBody<Path>,
  headers: AttemptHeaders,
): Promise<Envelope> {
  // The client types the body by a path that is known where it is called.
  const post = api.POST as (path: string, init: object) => Promise<Result<Envelope>>;
  return answer(post(path, { body, headers }));
}

/** A file with the name that the server gives it. */
export interface NamedFile {
  name: string;
  content: Blob;
  headers: Headers;
}

/** Awaits a call that returns a file, made with `parseAs: 'blob'`. Throws as `answer` does. */
export async function fileAnswer(call: Promise<Result<Blob>>): Promise<NamedFile> {
  const { data, error, response } = await arrival(call);
  if (!data) throw refusalOf(error, response.status);
  const { headers } = response;
  const name = /filename="([^"]+)"/.exec(headers.get('Content-Disposition') ?? '')?.[1];
  return { name: name ?? 'download', content: data, headers };
}

function arrival<Arrived>(call: Promise<Arrived>): Promise<Arrived> {
  return call.catch((cause: unknown) => {
    if (cause instanceof Error && cause.name === 'AbortError') throw cause;
    throw new ApiError(cause instanceof SyntaxError ? UNREADABLE : UNREACHABLE, 0);
  });
}

/** The error of an answer that is no success. */
export function refusalOf(body: unknown, status: number): ApiError {
  const refusal = body as Partial<ErrorBody> | undefined;
  const isOutdated = UNKNOWN_CALL.has(refusal?.code ?? '');
  const message = isOutdated ? OUTDATED : (refusal?.message ?? UNREADABLE);
  return new ApiError(message, status, refusal?.code, refusal?.data);
}

/** Sends a call, and sends it again if it asked for a proof of who one is and the member gave one. */
async function sendWithProof(request: Request): Promise<Response> {
  // Every body is JSON. It is read here because a body can be sent only once.
  const body = request.method === 'GET' ? '' : await request.text();
  const send = () =>
    fetch(body === '' ? request : new Request(request, { method: request.method, body }));
  const response = await send();
  if (response.status !== 403) return response;
  const refusal: Partial<ErrorBody> = await response
    .clone()
    .json()
    .catch(() => ({}));
  const isAsked = refusal.code === 'confirmation_required';
  return isAsked && (await confirmed()) ? send() : response;
}

let sessionEnded: (message: string) => void = () => {};

/** Sets the handler for a session that the server no longer knows. */
export function onSessionEnd(listener: (message: string) => void): void {
  sessionEnded = listener;
}

/** Ends the session here if it is still that of `token`: a late 401 of an earlier session must not. */
export function endSessionOf(token: string | null, message = SESSION_ENDED): void {
  if (token !== null && token === storedLogin()?.accessToken) sessionEnded(message);
}

let askForProof: () => Promise<boolean> = () => Promise.resolve(false);
let proof: Promise<boolean> | undefined;

/** Sets how the member is asked to confirm who they are. Returns a function that unsets it; later calls wait for no answer to `ask`. */
export function onConfirmationRequired(ask: () => Promise<boolean>): () => void {
  askForProof = ask;
  return () => {
    askForProof = () => Promise.resolve(false);
    proof = undefined;
  };
}

/** Asks once, however many calls wait for it. */
function confirmed(): Promise<boolean> {
  if (proof) return proof;
  const asked = askForProof().finally(() => {
    if (proof === asked) proof = undefined;
  });
  proof = asked;
  return asked;
}

const session: Middleware = {
  onRequest({ request }) {
    const login = storedLogin();
    if (login && !request.headers.has('Authorization')) {
      request.headers.set('Authorization', login.accessToken);
    }
    if (request.method === 'POST' && !request.headers.has(IDEMPOTENCY_KEY)) {
      request.headers.set(IDEMPOTENCY_KEY, newAttempt()[IDEMPOTENCY_KEY]);
    }
    if (!isAttended()) request.headers.set(BACKGROUND, '1');
  },
  async onResponse({ request, response }) {
    if (response.status !== 401) return;
    const refusal: Partial<Envelope> = await response
      .clone()
      .json()
      .catch(() => ({}));
    endSessionOf(request.headers.get('Authorization'), refusal.message);
  },
};

api.use(session);
