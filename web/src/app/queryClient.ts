import { QueryClient } from '@tanstack/react-query';
import { ApiError } from '@/api/ApiError';

/** Asks once more when no answer came or the server was busy, never when it refused. */
function isWorthRepeating(failures: number, error: Error): boolean {
  return failures < 1 && error instanceof ApiError && (error.status === 0 || error.status === 503);
}

export const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: isWorthRepeating, networkMode: 'always' } },
});
