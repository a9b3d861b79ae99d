import { ApiError, messageOf } from '@/api/ApiError';
import { notify, type NotifyOptions } from '@/ui/notify';

interface FailureOptions extends NotifyOptions {
  /** Shown in place of the error's own message. */
  message?: string;
}

/** Shows why a call failed. A 401 has its toast already: it ended the session. */
export function notifyFailure(error: unknown, options: FailureOptions = {}): void {
  const reason = error instanceof Error && error.cause !== undefined ? error.cause : error;
  if (reason instanceof ApiError && reason.status === 401) return;
  const { message = messageOf(error), ...toast } = options;
  notify.error(message, toast);
}
