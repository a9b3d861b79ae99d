import { queryOptions } from '@tanstack/react-query';
import type { AttemptHeaders } from '@/api/attempt';
import { answer, api, dataOf, fileAnswer } from '@/api/client';
import type { Chargeback } from '@/api/types';
import { ORDER } from '../../orderQueries';
import type { ChargebackFields } from './chargebackForm';

/** The networks with their days, and the options of the form. The server's config sets them. */
export const chargebackTermsQuery = queryOptions({
  queryKey: ['chargebackTerms'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/admin/chargeback-terms', { signal })),
  staleTime: Infinity,
});

/** The evidence of an order, its missing pieces, and the generated packs. */
export function defencePacksQuery(orderId: number) {
  return queryOptions({
    queryKey: [...ORDER, 'defence-packs', orderId],
    queryFn: ({ signal }) => {
      const body = { orderId };
      return dataOf(api.POST('/api/admin/defence-pack-details', { body, signal }));
    },
  });
}

/** `updated_at` is that of the shown record: the server refuses to overwrite a newer one. */
export function saveChargeback(
  orderId: number,
  fields: ChargebackFields,
  updated_at: string,
  headers: AttemptHeaders,
) {
  const body = {
    ...fields,
    orderId,
    network: fields.network as Chargeback['network'],
    outcome: fields.outcome as Chargeback['outcome'],
    reasonGroup: (fields.reasonGroup || null) as Chargeback['reason_group'],
    updated_at,
  };
  return answer(api.POST('/api/admin/save-chargeback', { body, headers }));
}

/** The transaction as the bank knows it. */
export interface TransactionFields {
  transactionId: string;
  merchantName: string;
}

export function saveTransaction(
  orderId: number,
  fields: TransactionFields,
  headers: AttemptHeaders,
) {
  const body = { orderId, ...fields };
  return answer(api.POST('/api/admin/save-transaction-details', { body, headers }));
}

export type PackType = 1 | 2;

/** Generates and stores a pack, and returns its id. The PDF itself is opened by its link. */
export async function makePack(orderId: number, defencePackType: PackType): Promise<number> {
  const body = { orderId, defencePackType };
  const { headers } = await fileAnswer(
    api.POST('/api/admin/get-defence-pack-pdf', { body, parseAs: 'blob' }),
  );
  return Number(headers.get('Pack-Id'));
}
