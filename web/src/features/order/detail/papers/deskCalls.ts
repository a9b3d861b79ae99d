import { queryOptions } from '@tanstack/react-query';
import type { AttemptHeaders } from '@/api/attempt';
import { answer, api, dataOf } from '@/api/client';
import type { PaperRequest, SetPaperState } from '@/api/types';
import { ORDER } from '../../orderQueries';

/** The query for the text that the applicant would be sent. */
export function previewQuery(body: PaperRequest) {
  return queryOptions({
    queryKey: [...ORDER, 'paper request', body],
    queryFn: ({ signal }) => dataOf(api.POST('/api/admin/preview-paper-request', { body, signal })),
  });
}

/** Says what a paper is like. */
export function setPaperState(body: SetPaperState, headers: AttemptHeaders) {
  return answer(api.POST('/api/admin/set-paper-state', { body, headers }));
}

export function askForPapers(body: PaperRequest, headers: AttemptHeaders) {
  return answer(api.POST('/api/admin/ask-for-papers', { body, headers }));
}

/** Takes the open request back. */
export function withdrawRequest(orderId: number, headers: AttemptHeaders) {
  const body = { orderId };
  return answer(api.POST('/api/admin/withdraw-paper-request', { body, headers }));
}
