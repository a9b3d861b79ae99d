/** Facts of a refusal that the app acts on. */
export interface RefusalData {
  /** The order because of which a bulk call was refused. */
  order_id?: number;
  /** The invalid fields of a correction. */
  errors?: readonly { field: string; reason: string }[];
  /** The fields that somebody else changed meanwhile. */
  fields?: readonly string[];
  /** A sign-in that lacks the second factor. */
  challenge?: string;
  /** The methods that can finish it; none if a second factor has to be set up first. */
  methods?: readonly string[];
  /** The methods that can be set up, if one has to be. */
  offers?: readonly string[];
}

/** A call that was refused or got no answer. Its message can be shown. */
export class ApiError extends Error {
  override name = 'ApiError';

  constructor(
    message: string,
    /** The HTTP status; 0 when no answer came. */
    readonly status: number,
    /** The server's stable name of the reason; empty when it gave none. */
    readonly code = '',
    /** Further facts that the server reports about the refusal. */
    readonly data: RefusalData = {},
  ) {
    super(message);
  }
}

/** The message of `error` for people. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
