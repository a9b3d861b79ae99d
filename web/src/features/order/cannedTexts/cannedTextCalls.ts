import { queryOptions } from '@tanstack/react-query';
import { answer, api, dataOf } from '@/api/client';
import type { CannedTexts, SaveCannedText } from '@/api/types';

/** The member's own texts and those of all. They change rarely. */
export const cannedTextsQuery = queryOptions({
  queryKey: ['canned texts'],
  queryFn: ({ signal }): Promise<CannedTexts> =>
    dataOf(api.GET('/api/admin/canned-texts', { signal })),
  staleTime: 60_000,
});

/** Adds a text, or changes one. */
export const saveCannedText = (body: SaveCannedText) =>
  answer(api.PUT('/api/admin/canned-text', { body }));

export const deleteCannedText = (id: number) =>
  answer(api.PUT('/api/admin/delete-canned-text', { body: { id } }));
