import { queryOptions } from '@tanstack/react-query';
import type { AttemptHeaders } from '@/api/attempt';
import { api, dataOf, fileAnswer, type NamedFile } from '@/api/client';
import { upload } from '@/api/upload';
import type { ActionResult } from '../../actions/orderCalls';
import { ORDER } from '../../orderQueries';

export function filingQuery(orderId: number) {
  return queryOptions({
    queryKey: [...ORDER, 'filing', orderId],
    queryFn: ({ signal }) => {
      const params = { path: { orderId: String(orderId) } };
      return dataOf(api.GET('/api/admin/order-filing/{orderId}', { params, signal }));
    },
    staleTime: 10_000,
  });
}

/** Loads the files for the portal as one ZIP. */
export function loadKit(orderId: number): Promise<NamedFile> {
  const params = { path: { orderId: String(orderId) } };
  const call = api.GET('/api/admin/filing-kit/{orderId}', { params, parseAs: 'blob' });
  return fileAnswer(call as Promise<{ data?: Blob; error?: unknown; response: Response }>);
}

export interface PortalAnswerFields {
  applicationNumber: string;
  feeAmount: string;
  feeCurrency: string;
  receipt: File | null;
}

/**
 * Records that an application was filed, by the member who has claimed the order. `isSecond`: beside the one that a colleague
 * filed.
 */
export function fileApplication(
  orderId: number,
  { receipt, ...texts }: PortalAnswerFields,
  isSecond: boolean,
  headers: AttemptHeaders,
): Promise<ActionResult> {
  const form = new FormData();
  form.set('orderId', String(orderId));
  form.set(isSecond ? 'isSecond' : 'isClaimed', 'true');
  for (const [name, text] of Object.entries(texts)) form.set(name, text);
  // The file comes last, so that the server can refuse the other fields before receiving it.
  if (receipt) form.set('receipt', receipt);
  const { signal } = new AbortController();
  return upload('/api/admin/file-application', form, {
    headers,
    signal,
    onProgress: () => undefined,
  });
}
