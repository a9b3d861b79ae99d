/** What a run could not check, for the summary of `cargo xtask test`. */

import { appendFile } from 'node:fs/promises';

import { fixedTime } from './fixedTime.ts';

/** Appends a line for each check that is left out on this machine to the file named by `VISADESK_NOT_CHECKED`. */
export async function reportNotChecked(): Promise<void> {
  const file = process.env['VISADESK_NOT_CHECKED'];
  if (file === undefined) return;
  if (fixedTime() === undefined) {
    await appendFile(file, 'pictures of the screens: libfaketime is missing\n');
  }
}
