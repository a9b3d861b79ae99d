import { useMutation, type QueryKey } from '@tanstack/react-query';
import { useCallback, useLayoutEffect, useRef } from 'react';
import type { ToastAction } from '@/ui/notify';

/** The toast about a change. */
export interface ChangeToast {
  message: string;
  action?: ToastAction;
}

/**
 * The reactions of the app to a change; the mutation cache in `app/queryClient.ts` runs them for
 * all changes.
 */
interface ChangeMeta extends Record<string, unknown> {
  /** The root of the queries that the change makes stale, after a refusal as well; empty: all queries; null: none. */
  stale: QueryKey | null;
  /** The change is busy until the stale queries on the screen are loaded again. */
  waits?: boolean | undefined;
  success?: ((result: unknown, input: unknown) => ChangeToast | null) | undefined;
  failure?: ((error: unknown, input: unknown) => ChangeToast | null) | undefined;
}

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: ChangeMeta;
  }
}

export interface Change<Input, Result> {
  run: (input: Input) => Promise<Result>;
  /** Changes of one scope are sent one after another. */
  scope?: string;
  stale: QueryKey | null;
  waits?: boolean;
  /** The toast after a success, by default with the server's message; null: none. */
  success?: (result: Result, input: Input) => ChangeToast | null;
  /** The toast after a failure, by default with its message; null: none. */
  failure?: (error: unknown, input: Input) => ChangeToast | null;
  /** Called after a failure, once what `waits` asks for is loaded. */
  refused?: (error: unknown) => void;
}

/**
 * A change of data on the server. `send` returns its result, or undefined after a failure, of which the member has been
 * told. Toasts, reloading and the end of a session are the same for every change.
 */
export function useChange<Input, Result>(change: Change<Input, Result>) {
  const { run, scope, stale, waits, success, failure, refused } = change;
  const latestRefused = useRef(refused);
  useLayoutEffect(() => {
    latestRefused.current = refused;
  });
  const { mutateAsync, isPending } = useMutation({
    mutationFn: run,
    ...(scope && { scope: { id: scope } }),
    meta: {
      stale,
      waits,
      // The types of result and input are known here, and not where the cache calls back.
      success: success && ((result, input) => success(result as Result, input as Input)),
      failure: failure && ((error, input) => failure(error, input as Input)),
    },
  });
  const send = useCallback(
    (input: Input): Promise<Result | undefined> =>
      mutateAsync(input).catch((error: unknown) => {
        latestRefused.current?.(error);
        return undefined;
      }),
    [mutateAsync],
  );
  return { send, busy: isPending };
}
