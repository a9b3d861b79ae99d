import { MutationCache, QueryClient, type Mutation } from '@tanstack/react-query';
import { ApiError, messageOf } from '@/api/ApiError';
import { forgetChange } from '@/features/order/actions/lastChange';
import { ORDER } from '@/features/order/orderQueries';
import { notifyFailure } from '@/session/notifyFailure';
import { sessionCount } from '@/session/session';
import { notify } from '@/ui/notify';

/** Asks once more when no answer came or the server was busy, never when it refused. */
function isWorthRepeating(failures: number, error: Error): boolean {
  return failures < 1 && error instanceof ApiError && (error.status === 0 || error.status === 503);
}

/** The sessions in which the running changes began. */
const begunIn = new WeakMap<object, number>();

/** Returns true if the session of a change has ended: its outcome does not concern the next member. */
const isOver = (change: Mutation<unknown, unknown, unknown, unknown>) =>
  begunIn.get(change) !== sessionCount();

/**
 * Handles the result of every change: its toast first, then the queries that it made stale are
 * loaded again.
 */
const mutationCache = new MutationCache({
  onMutate: (_input, change) => {
    begunIn.set(change, sessionCount());
  },
  onSuccess: (result, input, _, change) => {
    if (isOver(change)) return;
    const { meta } = change;
    // `u` undoes the last change only. One that can be undone remembers itself.
    if (meta?.stale === ORDER) forgetChange();
    const toast = meta?.success ? meta.success(result, input) : messageIn(result);
    if (toast) notify.success(toast.message, { action: toast.action });
  },
  onError: (error, input, _, change) => {
    if (isOver(change)) return;
    const { meta } = change;
    const isCancelled = error instanceof DOMException && error.name === 'AbortError';
    if (isCancelled) return;
    const toast = meta?.failure ? meta.failure(error, input) : { message: messageOf(error) };
    if (toast) notifyFailure(error, toast);
  },
  onSettled: (_result, _error, _input, _prepared, change, { client }) => {
    const { meta } = change;
    if (!meta?.stale || isOver(change)) return undefined;
    const reloaded = client.invalidateQueries({ queryKey: meta.stale });
    return meta.waits ? reloaded : undefined;
  },
});

export const queryClient = new QueryClient({
  mutationCache,
  defaultOptions: {
    queries: { retry: isWorthRepeating, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
});

/** The server's message in an answer. */
function messageIn(result: unknown): { message: string; action?: undefined } | null {
  const { message } = (result ?? {}) as { message?: string };
  return message ? { message } : null;
}
