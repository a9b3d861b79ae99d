import { queryOptions } from '@tanstack/react-query';
import { answer, api } from '@/api/client';
import type { LookAtFinding, MakePortalPhotograph } from '@/api/types';
import type { components } from '@/api/schema';
import { ORDER } from '../../orderQueries';

/** The papers of an order, with what the applicant was asked for. */
export type Desk = components['schemas']['OrderPapers'];

/** A check takes some seconds, and longer behind others. */
const POLL_MS = 3_000;

export function papersQuery(orderId: number) {
  return queryOptions({
    queryKey: [...ORDER, 'papers', orderId],
    queryFn: async ({ signal }) => {
      const params = { path: { orderId: String(orderId) } };
      return (await answer(api.GET('/api/admin/order-papers/{orderId}', { params, signal }))).data;
    },
    staleTime: 10_000,
    refetchInterval: ({ state: { data } }) =>
      data?.checks.some(({ state }) => state === 'pending') ? POLL_MS : false,
  });
}

/** Records a look at a finding. Returns the server's message. */
export async function lookAtFinding(body: LookAtFinding, key: string): Promise<string> {
  const headers = { 'Idempotency-Key': key };
  return (await answer(api.POST('/api/admin/look-at-finding', { body, headers }))).message;
}

/** Requests the checks of an order's papers again. Returns the server's message. */
export async function checkPapers(orderId: number, key: string): Promise<string> {
  const headers = { 'Idempotency-Key': key };
  const body = { orderId };
  return (await answer(api.POST('/api/admin/check-papers', { body, headers }))).message;
}

/** Makes the portal's version of a photograph. Returns the server's message. */
export async function makePortalPhotograph(
  body: MakePortalPhotograph,
  key: string,
): Promise<string> {
  const headers = { 'Idempotency-Key': key };
  return (await answer(api.POST('/api/admin/make-portal-photograph', { body, headers }))).message;
}
