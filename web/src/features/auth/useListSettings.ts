import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { messageOf } from '@/api/ApiError';
import { answer, api } from '@/api/client';
import type { ListSettings } from '@/api/types';
import { useChange } from '@/session/useChange';
import { meQuery } from '@/session/me';

/** Saves how the member wants to see lists. The screen follows at once, and goes back if the server refuses. */
export function useListSettings(): (settings: ListSettings) => void {
  const queries = useQueryClient();
  // The last choice, and the last one that the server has.
  const newest = useRef<ListSettings>(undefined);
  const saved = useRef<ListSettings>(undefined);
  const show = (list_settings: ListSettings) =>
    queries.setQueryData(meQuery.queryKey, (me) => me && { ...me, list_settings });
  const { send } = useChange({
    run: (settings: ListSettings) =>
      answer(api.PUT('/api/admin/list-settings', { body: settings })),
    // Each call replaces all settings: out of order, an older choice would win.
    scope: 'list-settings',
    stale: null,
    success: (_, settings) => {
      saved.current = settings;
      return null;
    },
    failure: (error, settings) => {
      // A newer choice contains this one and is sent next.
      if (newest.current === settings && saved.current) show(saved.current);
      return { message: messageOf(error) };
    },
  });
  return (settings) => {
    saved.current ??= queries.getQueryData(meQuery.queryKey)?.list_settings;
    newest.current = settings;
    show(settings);
    void send(settings);
  };
}
