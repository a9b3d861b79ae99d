import { answer, api } from '@/api/client';

/** Corrected fields by name, each with the value that the member saw. */
export type Changes = Record<string, { before: string | null; after: string | null }>;

export async function correct(orderId: number, fields: Changes) {
  return answer(api.PUT('/api/admin/correct-order', { body: { orderId, fields } }));
}
