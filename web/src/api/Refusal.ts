/** A visitor's call that was refused or got no answer. */
export class Refusal extends Error {
  override name = 'Refusal';

  constructor(
    /** The HTTP status; 0 when no answer came. */
    readonly status: number,
    /** The server's stable name of the reason; empty when it gave none. */
    readonly code: string,
    /** The server's message, in English; empty without one. */
    message: string,
    /** The time to wait before another try; 0 when the server does not state it. */
    readonly waitSeconds = 0,
  ) {
    super(message);
  }
}
