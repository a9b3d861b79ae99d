/** A call that was refused or never arrived. Its message is fit to show. */
export class ApiError extends Error {
  override name = 'ApiError';

  constructor(
    message: string,
    /** The HTTP status; 0 when no answer came. */
    readonly code: number,
    /** The order that stopped a bulk call. */
    readonly orderId?: number,
  ) {
    super(message);
  }
}

/** What to tell a person about `error`. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
