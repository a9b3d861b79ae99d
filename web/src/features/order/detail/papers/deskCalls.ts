import { queryOptions } from '@tanstack/react-query';
import { answer, api } from '@/api/client';
import type { PaperRequest, SetPaperState } from '@/api/types';
import { ORDER } from '../../orderQueries';

const underKey = (key: string) => ({ 'Idempotency-Key': key });

/** The query for the text that the applicant would be sent. */
export function previewQuery(body: PaperRequest) {
  return queryOptions({
    queryKey: [...ORDER, 'paper request', body],
    queryFn: async ({ signal }) =>
      (await answer(api.POST('/api/admin/preview-paper-request', { body, signal }))).data,
  });
}

/** Says what a paper is like. Returns the server's message. */
export async function setPaperState(body: SetPaperState, key: string): Promise<string> {
  const headers = underKey(key);
  return (await answer(api.POST('/api/admin/set-paper-state', { body, headers }))).message;
}

/** Asks the applicant for papers. Returns the server's message. */
export async function askForPapers(body: PaperRequest, key: string): Promise<string> {
  const headers = underKey(key);
  return (await answer(api.POST('/api/admin/ask-for-papers', { body, headers }))).message;
}

/** Takes the open request back. Returns the server's message. */
export async function withdrawRequest(orderId: number, key: string): Promise<string> {
  const headers = underKey(key);
  const body = { orderId };
  return (await answer(api.POST('/api/admin/withdraw-paper-request', { body, headers }))).message;
}
