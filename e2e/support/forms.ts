/** The forms of a run: the short one of every change, and the long one with more widths and rounds. */

/** Whether this is the long form. */
export const isLong = process.env['VISADESK_TEST_LONG'] !== undefined;
