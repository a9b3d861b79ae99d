/** A call that was refused or got no answer. Its message can be shown. */
export class ApiError extends Error {
  override name = 'ApiError';

  constructor(
    message: string,
    /** The HTTP status; 0 when no answer came. */
    readonly status: number,
    /** The server's stable name of the reason; empty when it gave none. */
    readonly code = '',
    /** The order because of which a bulk call was refused. */
    readonly orderId?: number,
  ) {
    super(message);
  }
}

/** The message of `error` for people. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
