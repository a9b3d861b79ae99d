import { queryOptions } from '@tanstack/react-query';
import { api, dataOf } from '@/api/client';
import type { PaperRequest } from '@/api/types';
import { ORDER } from '../../orderQueries';

/** The query for the text that the applicant would be sent. */
export function previewQuery(body: PaperRequest) {
  return queryOptions({
    queryKey: [...ORDER, 'paper request', body],
    queryFn: ({ signal }) => dataOf(api.POST('/api/admin/preview-paper-request', { body, signal })),
  });
}
