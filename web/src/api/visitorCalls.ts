import { newAttempt } from './attempt';
import { Refusal } from './Refusal';
import type { components } from './schema';

type Schemas = components['schemas'];

/** The stage of an order, as visitors see it. */
export type Stage = Schemas['Stage'];
/** A recorded download. */
export type Download = Schemas['DownloadEntry'];
/** Something the agency needs from the visitor. */
export type Need = Schemas['NeedEntry'];
/** The papers that the agency asks the visitor for. */
export type AskedPapers = NonNullable<Schemas['TrackedOrder']['asked']>;
export type MissingPaper = Schemas['MissingPaper'];
/** The order that the visitor may see. */
export type VisitorOrder = Schemas['TrackedOrder'];
export type DownloadHistory = Schemas['DownloadHistory'];

/** Proves with an email that an order is the visitor's. The grant is stored in an HttpOnly cookie. */
export async function trackOrder(orderId: string, email: string): Promise<void> {
  await post<Schemas['Tracked']>('track-order', { orderId, email } satisfies Schemas['TrackOrder']);
}

/** Asks for a code, which is mailed to the order's own address. The browser keeps its ticket in an HttpOnly cookie. */
export async function sendCode(orderId: string, email: string): Promise<void> {
  const body: Schemas['SendTrackingCode'] = { orderId, email };
  await post<Schemas['CodeRequested']>('send-tracking-code', body);
}

/** The order's stage and its downloads. */
export function downloadHistory(orderId: number): Promise<DownloadHistory> {
  const body: Schemas['FindDownloads'] = { orderId: String(orderId) };
  return post('get-download-history', body);
}

/** A URL that opens the visa for this visitor, for some time. */
export interface VisaLink {
  address: string;
  validForSeconds: number;
}

/** Records one download and returns the link. */
export async function downloadVisa(orderId: number, file1: string): Promise<VisaLink> {
  const body: Schemas['DownloadVisa'] = {
    orderId: String(orderId),
    customername: 'customer',
    file1,
  };
  const visa = await post<Schemas['VisaLink']>('download-passport-doc-pdf', body, newAttempt());
  const address = new URL(visa.path, `${location.origin}/`).href;
  return { address, validForSeconds: visa.valid_for_seconds };
}

/** Makes a call of the public pages. Throws a `Refusal`. */
export async function post<Answer>(
  call: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(`${location.origin}/api/front/${call}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  }).catch(() => {
    throw new Refusal(0, '', '');
  });
  const answer: VisitorAnswer = await response.json().catch(() => ({}));
  if (response.ok && answer.status === 1) return answer as Answer;
  throw refusalOf(answer, response.status, response.headers.get('Retry-After'));
}

/** The fields that every answer may have. */
export type VisitorAnswer = Partial<{ status: number; code: string; message: string }>;

/** The refusal that an answer is; `retryAfter` is its header. */
export function refusalOf(
  { code = '', message = '' }: VisitorAnswer,
  status: number,
  retryAfter: string | null,
): Refusal {
  const wait = Number(retryAfter);
  return new Refusal(status, code, message, Number.isFinite(wait) ? wait : 0);
}
