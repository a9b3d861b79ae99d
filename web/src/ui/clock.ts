/** The one source of the present time. */
export function now(): Date {
  return new Date();
}
