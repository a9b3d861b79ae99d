/** The limits of the server that texts name. */

/** The largest file that it takes. */
export const MAX_FILE_BYTES = 20 * 1024 * 1024;
/** The time that a mailed code is valid. */
export const CODE_VALID_SECONDS = 600;
/** The codes that an order gets in a day. */
export const CODES_A_DAY = 3;
