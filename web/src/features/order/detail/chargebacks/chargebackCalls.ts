import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, fileAnswer } from '@/api/client';
import { ORDER } from '../../orderQueries';

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

export type PackType = 1 | 2;

/** Generates and stores a pack, and returns its id. The PDF itself is opened by its link. */
export async function makePack(orderId: number, defencePackType: PackType): Promise<number> {
  const body = { orderId, defencePackType };
  const { headers } = await fileAnswer(
    api.POST('/api/admin/get-defence-pack-pdf', { body, parseAs: 'blob' }),
  );
  return Number(headers.get('Pack-Id'));
}
