import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { answer, api } from '@/api/client';
import type { ListSettings } from '@/api/types';
import { notifyFailure } from '@/session/notifyFailure';
import { meQuery } from './me';

/** Saves how the member wants to see lists. The screen follows at once, and goes back if the server refuses. */
export function useListSettings(): (settings: ListSettings) => void {
  const queries = useQueryClient();
  return useCallback(
    (settings: ListSettings) => {
      const before = queries.getQueryData(meQuery.queryKey);
      const show = (list_settings: ListSettings) =>
        queries.setQueryData(meQuery.queryKey, (me) => me && { ...me, list_settings });
      show(settings);
      answer(api.PUT('/api/admin/list-settings', { body: settings })).catch((error: unknown) => {
        if (before) show(before.list_settings);
        notifyFailure(error);
      });
    },
    [queries],
  );
}
